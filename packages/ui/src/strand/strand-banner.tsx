import { Lock, TriangleAlert } from 'lucide-react';
import { plural } from '../format.ts';
import { Button } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';

export interface StrandBannerProps {
  /** Why nothing can be written to this session, or null. */
  readonly readOnly: string | null;
  /** Lines that cannot be read and were not accepted yet. */
  readonly badLines: number;
  /** Records of kinds this version does not know. */
  readonly newerRecords?: number | undefined;
  readonly onAcceptBadLines?: (() => void) | undefined;
  readonly accepting?: boolean | undefined;
}

/** What is special about a session, above its transcript. Nothing when all is well. */
export function StrandBanner({
  readOnly,
  badLines,
  newerRecords = 0,
  onAcceptBadLines,
  accepting = false,
}: StrandBannerProps) {
  if (readOnly === null && badLines === 0 && newerRecords === 0) return null;
  return (
    <div className="flex flex-col border-line border-b text-ui">
      {readOnly !== null && (
        <p className="flex items-start gap-2 bg-sunken px-4 py-1.5 text-fg-2">
          <Icon of={Lock} size={14} className="mt-[3px]" />
          <span className="text-pretty">
            <span className="font-medium text-fg">Read-only.</span> {readOnly}
          </span>
        </p>
      )}
      {badLines > 0 && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-warn-bg px-4 py-1.5">
          <Icon of={TriangleAlert} size={14} className="text-warn" />
          <span className="min-w-0 flex-1 text-pretty">
            {`${plural(badLines, 'line')} of this session cannot be read. ${badLines === 1 ? 'It is' : 'They are'} skipped and kept; all other lines are shown. Writing goes on once you accept that.`}
          </span>
          {onAcceptBadLines !== undefined && (
            <Button size="sm" disabled={accepting} onClick={onAcceptBadLines}>
              {accepting ? 'Accepting' : 'Accept and go on'}
            </Button>
          )}
        </div>
      )}
      {newerRecords > 0 && (
        <p className="px-4 py-1.5 text-fg-2">
          {`${plural(newerRecords, 'record')} ${newerRecords === 1 ? 'was' : 'were'} written by a newer Skein. They are kept and marked.`}
        </p>
      )}
    </div>
  );
}
