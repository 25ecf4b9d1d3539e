import { ErrorBox } from '@skein/ui/primitives/error-box';
import type { ReactNode } from 'react';
import type { Problem } from '../bridge/problem.ts';

export interface ProblemBoxProps {
  readonly problem: Problem;
  /** What was kept, in one sentence. */
  readonly kept: string;
  readonly actions?: ReactNode | undefined;
}

/** A failure of a call, in the words that the bridge has for it. */
export function ProblemBox({ problem, kept, actions }: ProblemBoxProps) {
  const { message, next, details } = problem;
  return (
    <ErrorBox
      happened={message}
      kept={kept}
      details={details}
      {...(next === '' ? {} : { next })}
      {...(actions === undefined ? {} : { actions })}
    />
  );
}
