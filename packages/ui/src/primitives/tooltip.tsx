import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { Kbd } from './kbd.tsx';

interface TipPayload {
  readonly label: string;
  readonly shortcut?: string | undefined;
}

/** One tooltip for the whole page: a transcript has hundreds of buttons, and only one of them is pointed at. */
const tip = Tooltip.createHandle<TipPayload>();

export interface TipProps extends TipPayload {
  /** The element that the tip is about; it must take a ref and pointer events. */
  readonly children: ReactElement<Record<string, unknown>>;
}

/** Names an element for people who point or focus. It needs one `TooltipHost` on the page. */
export function Tip({ label, shortcut, children }: TipProps) {
  return <Tooltip.Trigger handle={tip} payload={{ label, shortcut }} render={children} />;
}

/** Mounted once, near the root. */
export function TooltipHost() {
  return (
    <Tooltip.Provider delay={450} closeDelay={0} timeout={300}>
      <Tooltip.Root handle={tip}>
        {({ payload }) => (
          <Tooltip.Portal>
            <Tooltip.Positioner sideOffset={6} className="z-60">
              <Tooltip.Popup className="flex max-w-80 items-center gap-2 rounded-control border border-line bg-raised px-2 py-1 text-fg text-meta shadow-float transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0">
                <span className="text-pretty">{payload?.label}</span>
                {payload?.shortcut !== undefined && <Kbd keys={payload.shortcut} />}
              </Tooltip.Popup>
            </Tooltip.Positioner>
          </Tooltip.Portal>
        )}
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}
