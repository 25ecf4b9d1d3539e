import { Badge } from '@skein/ui/primitives/badge';
import { Button } from '@skein/ui/primitives/button';
import { Skeleton } from '@skein/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import { problemOf } from '../../bridge/problem.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { ProblemBox } from '../problem-box.tsx';
import { ScreenFrame } from '../screen-frame.tsx';

const TONES = { ok: 'add', warn: 'warn', fail: 'del' } as const;
const WORDS = { ok: 'ok', warn: 'look', fail: 'broken' } as const;

/** What Skein needs of this machine, checked now. */
export function DoctorScreen() {
  const { bridge } = useWorkbench();
  const doctor = useQuery(bridge.trpc.system.doctor.queryOptions(undefined, { staleTime: 0 }));
  const again = () => {
    doctor.refetch().catch(reportError);
  };
  return (
    <ScreenFrame
      title="Check"
      actions={
        <Button onClick={again} disabled={doctor.isFetching}>
          {doctor.isFetching ? 'Checking…' : 'Check again'}
        </Button>
      }
    >
      {doctor.isError && <ProblemBox problem={problemOf(doctor.error)} kept="Nothing was changed." />}
      {doctor.isPending && <Skeleton label="Checking" rows={6} />}
      <ul className="divide-y divide-line rounded-panel border border-line bg-raised empty:hidden">
        {doctor.data?.checks.map(({ name, status, message, fix }) => (
          <li key={name} className="flex items-start gap-3 px-3 py-2">
            <span className="w-14 shrink-0 pt-0.5">
              <Badge tone={TONES[status]}>{WORDS[status]}</Badge>
            </span>
            <span className="min-w-0">
              <span className="font-medium">{name}</span>
              <span className="block text-pretty break-words text-fg-2">{message}</span>
              {fix !== null && <span className="block text-pretty break-words text-fg-2">{fix}</span>}
            </span>
          </li>
        ))}
      </ul>
    </ScreenFrame>
  );
}
