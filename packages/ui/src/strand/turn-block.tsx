import type { TurnBlock as Block } from '@skein/core/document/blocks';
import type { PermissionRequest } from '@skein/core/protocol/turns';
import { memo } from 'react';
import { plural } from '../format.ts';
import { Button } from '../primitives/button.tsx';
import { ErrorBox } from '../primitives/error-box.tsx';
import { CoverageNotice } from './coverage-notice.tsx';
import { useFold } from './folds.tsx';
import { LiveTail } from './live-tail.tsx';
import { PermissionCard, type PermissionDecision } from './permission-card.tsx';
import { useServices } from './services.tsx';
import { TurnFooter } from './turn-footer.tsx';
import { TurnItems } from './turn-items.tsx';
import { TurnPrompt } from './turn-prompt.tsx';
import { useItemWindow } from './use-item-window.ts';

export interface TurnBlockProps {
  readonly block: Block;
  /** Questions of this turn that wait for an answer. */
  readonly permissions: readonly PermissionRequest[];
  readonly onDecide: (request: PermissionRequest, decision: PermissionDecision) => void;
  /** Whether the reader follows the end: then rows above may be folded away while it grows. */
  readonly following: boolean;
}

/** One turn: what was asked, what was done, what it changed. */
export const TurnBlock = memo(function TurnBlock({
  block,
  permissions,
  onDecide,
  following,
}: TurnBlockProps) {
  const offPath = block.standing !== 'path';
  const [open, setOpen] = useFold(`${block.id}-turn`, !offPath);
  return (
    <div data-dimmed={offPath || block.undo !== null || undefined} className="group/turn">
      {block.prompt !== null && (
        <TurnPrompt
          prompt={block.prompt}
          number={offPath ? null : block.number}
          at={block.at}
          standing={block.standing}
          undo={block.undo}
          foldKey={block.id}
        />
      )}
      {open ? (
        <TurnBody block={block} permissions={permissions} onDecide={onDecide} following={following} />
      ) : (
        <div className="mt-1.5">
          <Button size="sm" variant="ghost" className="-ml-2" onClick={() => setOpen(true)}>
            {`Show what it did (${plural(block.items.length, 'step')})`}
          </Button>
        </div>
      )}
      {!block.running && <TurnFooter block={block} />}
    </div>
  );
});

function TurnBody({ block, permissions, onDecide, following }: TurnBlockProps) {
  const { actions } = useServices();
  const { first, showEarlier } = useItemWindow(block.items.length, following);
  return (
    <div className="mt-3 text-ui">
      {first > 0 && (
        <Button size="sm" variant="ghost" className="-ml-2 mb-1" onClick={showEarlier}>
          {`Show ${plural(first, 'earlier step')}`}
        </Button>
      )}
      <TurnItems items={block.items.slice(first)} running={block.running} live={block.live} />
      {permissions.map((request) => (
        <div key={request.id} className="mt-3">
          <PermissionCard request={request} onDecide={onDecide} />
        </div>
      ))}
      {block.running && <LiveTail live={block.live} waiting={permissions.length > 0} />}
      {block.error !== null && (
        <div className="mt-3">
          <ErrorBox
            happened={block.error.message}
            kept="Everything up to here is kept, also the file changes of this turn."
            details={`${block.error.code}: ${block.error.message}`}
            actions={
              actions.onRetry !== undefined && (
                <Button size="sm" variant="ghost" onClick={() => actions.onRetry?.(block)}>
                  Send again
                </Button>
              )
            }
          />
        </div>
      )}
      {actions.onUndo !== undefined && block.notices.length > 0 && (
        <CoverageNotice notices={block.notices} foldKey={`${block.id}-coverage`} />
      )}
    </div>
  );
}
