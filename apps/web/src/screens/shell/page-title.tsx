import { useEffect } from 'react';
import { foreignTitle, useForeignSession } from '../../state/foreign.ts';
import { titleOf, useRoute, useWorld } from '../../state/hooks.ts';

/** The window's title: how much waits, then what is shown. */
export function PageTitle() {
  const route = useRoute();
  const waiting = useWorld((world) => world.permissions.length);
  const foreign = useForeignSession(route.kind === 'session' ? route.strand : null);
  const own = useWorld((world) =>
    route.kind === 'session' ? titleOf(world.strands.get(route.strand)) : NAMES[route.kind],
  );
  const name = foreign === null ? own : foreignTitle(foreign);
  const title = `${waiting > 0 ? `(${waiting}) ` : ''}${name === null ? '' : `${name} · `}Skein`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}

const NAMES = {
  home: null,
  new: 'New session',
  history: 'Sessions of other agents',
  search: 'Search',
  settings: 'Settings',
  doctor: 'Check',
  unknown: 'Not found',
} as const;
