import {
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from 'react';
import { lazyPart } from './lazy-part.ts';

export interface MenuAction {
  readonly kind?: 'action' | undefined;
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode | undefined;
  readonly shortcut?: string | undefined;
  readonly danger?: boolean | undefined;
  /** Why it cannot be used now: shown below the label. */
  readonly disabledReason?: string | null | undefined;
  readonly onSelect: () => void;
}

export interface MenuChoice {
  readonly kind: 'choice';
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly selected: boolean;
  readonly disabledReason?: string | null | undefined;
  readonly onSelect: () => void;
}

export type MenuEntry =
  | MenuAction
  | MenuChoice
  | { readonly kind: 'line'; readonly id: string }
  | MenuHeading;

export interface MenuHeading {
  readonly kind: 'heading';
  readonly id: string;
  readonly label: string;
}

export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly entries: readonly MenuEntry[];
  readonly align?: 'start' | 'center' | 'end' | undefined;
  readonly side?: 'top' | 'bottom' | undefined;
}

const load = () => import('./menu-popup.tsx');
const MenuPopup = lazyPart(async () => (await load()).MenuPopup);

/** Pointing at the button or tabbing to it is early enough to fetch what a click will need. */
function preload(): void {
  load().catch(() => undefined);
}

/**
 * A menu of actions and choices, with their shortcuts. Most menus are never opened, so until then there is
 * only the button: the list, its keyboard and its placing come with the first click.
 */
export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const open = (): void => setWanted(true);
  const button = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: open,
    onPointerEnter: preload,
    onFocus: preload,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      open();
    },
  });
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <MenuPopup {...props} />
    </Suspense>
  );
}
