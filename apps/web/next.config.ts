import type { NextConfig } from 'next';

/** One static export, served by the bridge. Types are checked by `npm run typecheck`, not by the build. */
export default {
  output: 'export',
  images: { unoptimized: true },
  transpilePackages: ['@skein/core', '@skein/ui'],
  typescript: { ignoreBuildErrors: true },
  devIndicators: false,
  // The page trusts what the bridge has checked; src/zod-stub.ts says why.
  turbopack: { resolveAlias: { zod: './src/zod-stub.ts' } },
} satisfies NextConfig;
