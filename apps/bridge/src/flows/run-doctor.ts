/** Looks at everything Skein needs and says what is missing and what to do; changes nothing. */
import type { doctorCheckSchema, doctorSchema } from '@skein/core/protocol/agents';
import type { z } from 'zod';

export type DoctorCheck = z.infer<typeof doctorCheckSchema>;

export interface RunDoctorDeps {
  /** Each looks at one thing; a check that throws is a failed check. */
  readonly checks: readonly {
    readonly name: string;
    readonly run: () => Promise<Omit<DoctorCheck, 'name'>>;
  }[];
}

export const createRunDoctor = (deps: RunDoctorDeps) => async (): Promise<z.infer<typeof doctorSchema>> => {
  const checks = await Promise.all(deps.checks.map(runCheck));
  return { checks, ok: checks.every(({ status }) => status !== 'fail') };
};

const runCheck = async ({ name, run }: RunDoctorDeps['checks'][number]): Promise<DoctorCheck> => {
  try {
    return { name, ...(await run()) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { name, status: 'fail', message, fix: null };
  }
};
