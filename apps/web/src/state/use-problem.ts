import { type Problem, problemOf } from '../bridge/problem.ts';
import { useWorkbench } from './workbench.ts';

/** Says in a corner why something did not work; for actions that have no place of their own for it. */
export function useSayProblem(): (error: unknown) => void {
  const { ui } = useWorkbench();
  return (error) => ui.say({ tone: 'error', text: sentenceOf(problemOf(error)) });
}

export function sentenceOf({ message, next }: Problem): string {
  return next === '' ? message : `${message} ${next}`;
}
