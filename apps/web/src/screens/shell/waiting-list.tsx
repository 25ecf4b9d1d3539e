import type { StrandId } from '@skein/core/record/ids';
import { visibleMarks } from '@skein/core/text/visible-marks';
import { Icon } from '@skein/ui/primitives/icon';
import { Kbd } from '@skein/ui/primitives/kbd';
import { PermissionCard } from '@skein/ui/strand/permission-card';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { titleOf, useRoute, useWorld } from '../../state/hooks.ts';
import { useDecide } from '../session/use-decide.ts';
import { useKeys } from './use-keys.ts';

/** Questions of all agents, oldest first, to answer without leaving what one is at. */
export function WaitingList({ onOpen }: { readonly onOpen: (strand: StrandId) => void }) {
  const requests = useWorld((world) => world.permissions);
  const strands = useWorld((world) => world.strands);
  const decide = useDecide();
  const keys = useKeys();
  const route = useRoute();
  const here = route.kind === 'session' ? route.strand : null;
  const [isOpen, setOpen] = useState(true);
  if (requests.length === 0) return null;
  return (
    <section aria-label="Waits for you" className="shrink-0 border-line border-y bg-warn-bg">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex h-8 w-full items-center gap-1.5 px-2.5 text-left font-medium text-warn touch:h-11"
      >
        <Icon of={ChevronRight} size={14} className={isOpen ? 'rotate-90' : undefined} />
        <span className="flex-1">{`${requests.length} ${requests.length === 1 ? 'waits' : 'wait'} for you`}</span>
        <Kbd keys={keys('alt+KeyU')} quiet />
      </button>
      {isOpen && (
        <ul className="flex max-h-[40dvh] flex-col gap-2 overflow-y-auto px-2 pb-2">
          {requests.map((request) => (
            <li key={request.id}>
              <button
                type="button"
                onClick={() => onOpen(request.strand)}
                className="block w-full truncate px-1 pb-0.5 text-left text-fg-2 text-meta hover:text-fg touch:min-h-11"
              >
                {titleOf(strands.get(request.strand))}
              </button>
              {request.strand === here ? (
                <p className="truncate px-1 text-warn text-meta">{`${visibleMarks(request.title)}: in the session beside`}</p>
              ) : (
                <PermissionCard compact request={request} onDecide={decide} />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
