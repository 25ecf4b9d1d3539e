/** Sizes of the panels, as this browser remembers them. */
import { type LocalStore, readJson } from './local.ts';
import { createStore, type Readable } from './store.ts';

export interface Layout {
  readonly sidebar: number;
  readonly inspector: number;
  readonly sidebarOpen: boolean;
  readonly inspectorOpen: boolean;
}

export type PanelName = 'sidebar' | 'inspector';

export const PANEL_LIMITS: Readonly<Record<PanelName, { readonly min: number; readonly max: number }>> = {
  sidebar: { min: 200, max: 480 },
  inspector: { min: 280, max: 900 },
};

const DEFAULT: Layout = { sidebar: 264, inspector: 420, sidebarOpen: true, inspectorOpen: true };

export interface LayoutStore extends Readable<Layout> {
  readonly resize: (panel: PanelName, width: number) => void;
  readonly show: (panel: PanelName, open: boolean) => void;
}

export function createLayoutStore(local: LocalStore): LayoutStore {
  const store = createStore(layoutOf(readJson(local, 'layout')));
  const change = (part: Partial<Layout>) => {
    store.update((layout) => ({ ...layout, ...part }));
    local.write('layout', JSON.stringify(store.get()));
  };
  return {
    get: store.get,
    subscribe: store.subscribe,
    resize: (panel, width) => change({ [panel]: clamp(panel, width) }),
    show: (panel, open) => change(panel === 'sidebar' ? { sidebarOpen: open } : { inspectorOpen: open }),
  };
}

function layoutOf(saved: unknown): Layout {
  if (typeof saved !== 'object' || saved === null) return DEFAULT;
  const { sidebar, inspector, sidebarOpen, inspectorOpen } = saved as Record<string, unknown>;
  return {
    sidebar: typeof sidebar === 'number' ? clamp('sidebar', sidebar) : DEFAULT.sidebar,
    inspector: typeof inspector === 'number' ? clamp('inspector', inspector) : DEFAULT.inspector,
    sidebarOpen: sidebarOpen !== false,
    inspectorOpen: inspectorOpen !== false,
  };
}

function clamp(panel: PanelName, width: number): number {
  const { min, max } = PANEL_LIMITS[panel];
  return Number.isFinite(width) ? Math.round(Math.max(min, Math.min(max, width))) : DEFAULT[panel];
}
