import type { ReadsItem } from '@skein/core/document/blocks';
import { memo } from 'react';
import { useFold } from './folds.tsx';
import { ToolCall, ToolLine } from './tool-call.tsx';

/** "read 7 files", which unfolds to the seven. */
export const ReadsGroup = memo(function ReadsGroup({ item }: { readonly item: ReadsItem }) {
  const [open, setOpen] = useFold(item.key);
  const names = item.calls.map((call) => call.target.slice(call.target.lastIndexOf('/') + 1));
  const files = new Set(item.calls.map((call) => call.target)).size;
  const durationMs = item.calls.reduce((sum, call) => sum + (call.durationMs ?? 0), 0);
  return (
    <div>
      <ToolLine
        verb={`read ${files} ${files === 1 ? 'file' : 'files'}`}
        target={names.slice(0, 12).join('  ')}
        outcome={null}
        durationMs={durationMs === 0 ? null : durationMs}
        open={open}
        onToggle={() => setOpen(!open)}
      />
      {open && (
        <div className="ml-[7px] border-line border-l pl-3.5">
          {item.calls.map((call) => (
            <ToolCall key={call.key} item={call} running={false} />
          ))}
        </div>
      )}
    </div>
  );
});
