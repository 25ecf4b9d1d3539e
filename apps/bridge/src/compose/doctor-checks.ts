/** What `skein doctor` looks at. */
import { statfs } from 'node:fs/promises';
import type { RunDoctorDeps } from '../flows/run-doctor.ts';
import { findProgram } from './editor.ts';
import type { Parts } from './parts.ts';

const LOW_SPACE_BYTES = 1024 ** 3;

type Check = RunDoctorDeps['checks'][number];

export const doctorChecks = (parts: Parts): readonly Check[] => [
  {
    name: 'node',
    run: async () => ({ status: 'ok', message: `Node ${process.versions.node}.`, fix: null }),
  },
  {
    name: 'git',
    run: async () =>
      parts.git === null
        ? {
            status: 'warn',
            message: 'git was not found; sessions work, repositories are not noticed.',
            fix: 'Install git 2.31 or newer.',
          }
        : { status: 'ok', message: `git ${parts.git.version.join('.')}.`, fix: null },
  },
  {
    name: 'shell',
    run: async () =>
      (await findProgram('bash', parts.environment.path)) === null
        ? { status: 'warn', message: 'bash was not found; commands run with /bin/sh.', fix: 'Install bash.' }
        : { status: 'ok', message: 'bash is there.', fix: null },
  },
  { name: 'data directory', run: () => checkSpace(parts.dataDir) },
  {
    name: 'settings',
    async run() {
      const { problems } = await parts.settings.config();
      return problems.length === 0
        ? { status: 'ok', message: `${parts.settings.configFile} is fine.`, fix: null }
        : { status: 'warn', message: problems.join(' '), fix: `Correct ${parts.settings.configFile}.` };
    },
  },
  {
    name: 'providers',
    async run() {
      const ready = (await parts.settings.describe()).providers.filter(
        ({ key }) => key === 'file' || key === 'environment',
      );
      return ready.length === 0
        ? {
            status: 'warn',
            message: 'No model provider has a key; the script agent and local models work.',
            fix: 'Add a key in the settings.',
          }
        : { status: 'ok', message: `Keys for ${ready.map(({ id }) => id).join(', ')}.`, fix: null };
    },
  },
  {
    name: 'sessions',
    async run() {
      const rows = await parts.announcements.summaries();
      const odd = rows.filter(({ bad, readOnly }) => bad > 0 || readOnly !== null);
      return odd.length === 0
        ? { status: 'ok', message: `${rows.length} sessions.`, fix: null }
        : {
            status: 'warn',
            message: `${odd.length} of ${rows.length} sessions have bad lines or are read-only.`,
            fix: 'Run "skein lint" on them.',
          };
    },
  },
];

const checkSpace = async (dir: string): ReturnType<Check['run']> => {
  const { bavail, bsize } = await statfs(dir);
  const free = bavail * bsize;
  const gib = (free / 1024 ** 3).toFixed(1);
  return free < LOW_SPACE_BYTES
    ? { status: 'warn', message: `Only ${gib} GiB are free for ${dir}.`, fix: 'Free some space.' }
    : { status: 'ok', message: `${dir}, ${gib} GiB free.`, fix: null };
};
