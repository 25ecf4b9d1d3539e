/** Does one thing to a workspace and is killed at the n-th failpoint on the way (kill -9). Run as a process of its own. */
import { readFileSync } from 'node:fs';
import { type CrashJob, crashJob } from './crash-job.ts';

const job: CrashJob & { readonly at: number } = JSON.parse(readFileSync(0, 'utf8'));
let passed = 0;
await crashJob(job, () => {
  if (passed === job.at) process.kill(process.pid, 'SIGKILL');
  passed += 1;
});
