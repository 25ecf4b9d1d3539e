/** Checks a session file line by line against the rules of its format. Reads only. */
import type { lintOutputSchema } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import { lintStrand } from '@skein/core/strand/lint';
import { lineOfWindowItem } from '@skein/core/strand/window-item';
import type { z } from 'zod';
import type { StrandStore } from '../strands/types.ts';

export const createLintStrand =
  (deps: { readonly store: Pick<StrandStore, 'lines'>; readonly isRunning: (strand: StrandId) => boolean }) =>
  async ({ strand }: { readonly strand: StrandId }): Promise<z.infer<typeof lintOutputSchema>> => {
    const lines = [];
    for await (const { item } of deps.store.lines(strand)) lines.push(lineOfWindowItem(item));
    const report = lintStrand(lines, { turnRunning: deps.isRunning(strand) });
    return { ...report, problems: [...report.problems] };
  };
