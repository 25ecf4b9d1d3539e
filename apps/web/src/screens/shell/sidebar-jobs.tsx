import { Progress } from '@skein/ui/primitives/progress';
import { useWorld } from '../../state/hooks.ts';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';

/** Long work that runs now, in every window. */
export function SidebarJobs() {
  const { bridge } = useWorkbench();
  const sayProblem = useSayProblem();
  const jobs = useWorld((world) => world.jobs);
  const running = jobs.filter(({ state }) => state === 'running');
  if (running.length === 0) return null;
  return (
    <section aria-label="Work in progress" className="flex flex-col gap-2 border-line border-t p-3">
      {running.map(({ id, title, done, total }) => (
        <Progress
          key={id}
          label={title}
          done={done}
          total={total}
          onCancel={() => {
            bridge.api.jobs.cancel.mutate({ id }).catch(sayProblem);
          }}
        />
      ))}
    </section>
  );
}
