import type { PermissionRequest } from '@skein/core/protocol/turns';
import { showPath } from '@skein/core/record/path-ref';
import { visibleMarks } from '@skein/core/text/visible-marks';
import { Hand } from 'lucide-react';
import { type FormEvent, memo, useId, useState } from 'react';
import { Button } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { TextInput } from '../primitives/text-input.tsx';
import { LazyDiff } from '../restore/diff-lazy.tsx';
import { CodeBlock } from './code-block.tsx';

export interface PermissionDecision {
  readonly decision: 'allow' | 'always' | 'deny';
  readonly reason?: string | undefined;
}

export interface PermissionCardProps {
  readonly request: PermissionRequest;
  readonly onDecide: (request: PermissionRequest, decision: PermissionDecision) => void;
  /** In the sidebar: the command in one line. */
  readonly compact?: boolean | undefined;
}

/**
 * A question of the agent. It never takes the focus, so that typing cannot approve: a key counts only on the
 * card's own buttons, by the browser's own rules.
 */
export const PermissionCard = memo(function PermissionCard({
  request: asked,
  onDecide,
  compact = false,
}: PermissionCardProps) {
  const titleId = useId();
  const request = asShown(asked);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group, not a landmark: there may be several
    <div
      role="group"
      data-testid="permission-card"
      aria-labelledby={titleId}
      className="overflow-hidden rounded-panel border border-warn-line bg-raised"
    >
      <header className="flex items-center gap-2 bg-warn-bg px-3 py-1.5 text-ui">
        <Icon of={Hand} size={14} className="text-warn" />
        <h3 id={titleId} className="min-w-0 flex-1 break-words font-medium">
          {request.title}
        </h3>
        <span className="shrink-0 text-meta text-warn">waits for you</span>
      </header>
      <What request={request} compact={compact} />
      <Answers request={request} onDecide={(_, decision) => onDecide(asked, decision)} />
    </div>
  );
});

/** What is decided by must be what it looks like. */
function asShown(request: PermissionRequest): PermissionRequest {
  const { title, command, rule } = request;
  return {
    ...request,
    title: visibleMarks(title),
    command: command === null ? null : visibleMarks(command),
    rule: rule === null ? null : visibleMarks(rule),
  };
}

function What({
  request: { command, edit, title },
  compact,
}: {
  readonly request: PermissionRequest;
  readonly compact: boolean;
}) {
  if (command !== null) {
    if (compact) return <p className="line-clamp-3 break-all px-3 py-2 font-mono text-code">{command}</p>;
    return (
      <div className="px-3 py-1.5 [&_pre]:w-auto [&_pre]:whitespace-pre-wrap [&_pre]:break-all">
        <CodeBlock bare code={command} language="bash" />
      </div>
    );
  }
  if (edit !== null && !compact) {
    return (
      <div className="border-line border-b">
        <p className="break-all px-3 py-1.5 font-mono text-code">{visibleMarks(showPath(edit.path))}</p>
        <div className="max-h-120 overflow-y-auto border-line border-t">
          <LazyDiff before={edit.before} after={edit.after} label={showPath(edit.path)} />
        </div>
      </div>
    );
  }
  return edit === null ? null : (
    <p className="break-all px-3 py-2 font-mono text-code">{edit === null ? title : showPath(edit.path)}</p>
  );
}

function Answers({ request, onDecide }: Pick<PermissionCardProps, 'request' | 'onDecide'>) {
  const [asksReason, setAsksReason] = useState(false);
  const [sent, setSent] = useState(false);
  const answer = (decision: PermissionDecision): void => {
    setSent(true);
    onDecide(request, decision);
  };
  return (
    <div className="flex flex-col gap-2 px-3 pt-2 pb-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" disabled={sent} onClick={() => answer({ decision: 'allow' })}>
          Allow once
        </Button>
        {request.rule !== null && (
          <Button disabled={sent} onClick={() => answer({ decision: 'always' })}>
            Always for this
          </Button>
        )}
        <Button variant="danger" disabled={sent} onClick={() => answer({ decision: 'deny' })}>
          Deny
        </Button>
        <Button
          variant="ghost"
          disabled={sent}
          aria-expanded={asksReason}
          onClick={() => setAsksReason(!asksReason)}
        >
          Deny with a reason
        </Button>
      </div>
      {request.rule !== null && (
        <p className="text-fg-3 text-meta">
          Always for this saves the rule <code className="break-all text-fg-2">{request.rule}</code>
        </p>
      )}
      {asksReason && <Reason disabled={sent} onDeny={(reason) => answer({ decision: 'deny', reason })} />}
    </div>
  );
}

function Reason({
  disabled,
  onDeny,
}: {
  readonly disabled: boolean;
  readonly onDeny: (reason: string) => void;
}) {
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (reason.trim() !== '') onDeny(reason.trim());
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <TextInput
        label="Reason for the agent"
        value={reason}
        onChange={setReason}
        maxLength={4000}
        placeholder="What it should do instead"
        className="min-w-0 flex-1"
      />
      <Button type="submit" variant="danger" disabled={disabled || reason.trim() === ''}>
        Deny
      </Button>
    </form>
  );
}
