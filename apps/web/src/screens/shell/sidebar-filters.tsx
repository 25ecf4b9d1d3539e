import type { StrandSummary } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import { Icon } from '@skein/ui/primitives/icon';
import { IconButton } from '@skein/ui/primitives/icon-button';
import { Menu, type MenuEntry } from '@skein/ui/primitives/menu';
import { FIELD } from '@skein/ui/primitives/text-input';
import { ListFilter, X } from 'lucide-react';
import { folderName } from '../../state/paths.ts';
import { isFiltering, NO_FILTER, type StateFilter, type StrandFilter } from '../../state/strand-filter.ts';

export interface SidebarFiltersProps {
  readonly filter: StrandFilter;
  readonly onFilter: (filter: StrandFilter) => void;
  readonly strands: ReadonlyMap<StrandId, StrandSummary>;
}

const STATES: readonly { readonly state: StateFilter; readonly label: string }[] = [
  { state: 'any', label: 'Any state' },
  { state: 'waiting', label: 'Waits for you' },
  { state: 'running', label: 'Running' },
  { state: 'failed', label: 'Failed or cut off' },
  { state: 'changed', label: 'Changed files' },
];

/** Narrows the list down: by words, agent, folder, state. */
export function SidebarFilters({ filter, onFilter, strands }: SidebarFiltersProps) {
  const isOn = isFiltering(filter);
  return (
    <div className="flex shrink-0 items-center gap-0.5 px-1.5 pt-1 pb-1">
      <input
        type="search"
        aria-label="Filter sessions"
        placeholder="Filter"
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
        className={`${FIELD} h-7 min-w-0 flex-1 border-line! bg-transparent! touch:h-11 touch:text-base`}
      />
      {isOn && (
        <IconButton
          label="Take all filters away"
          icon={<Icon of={X} />}
          onClick={() => onFilter(NO_FILTER)}
        />
      )}
      <Menu
        align="end"
        trigger={<IconButton label="More filters" pressed={isOn} icon={<Icon of={ListFilter} />} />}
        entries={entriesOf(filter, onFilter, [...strands.values()])}
      />
    </div>
  );
}

function entriesOf(
  filter: StrandFilter,
  onFilter: (filter: StrandFilter) => void,
  strands: readonly StrandSummary[],
): readonly MenuEntry[] {
  const agents = [...new Set(strands.map(({ agent }) => agent))].sort();
  const folders = [...new Set(strands.map(({ cwd }) => cwd))].slice(0, 20);
  const choice = (name: Named, selected: boolean, next: Partial<StrandFilter>): MenuEntry => ({
    kind: 'choice',
    ...name,
    selected,
    onSelect: () => onFilter({ ...filter, ...next }),
  });
  return [
    ...STATES.map(({ state, label }) => choice({ id: state, label }, filter.state === state, { state })),
    { kind: 'line', id: 'line-1' },
    choice({ id: 'archived', label: 'Archived' }, filter.archived, { archived: !filter.archived }),
    { kind: 'heading', id: 'agents', label: 'Agent' },
    choice({ id: 'agent-any', label: 'Any agent' }, filter.agent === null, { agent: null }),
    ...agents.map((agent) =>
      choice({ id: `agent-${agent}`, label: agent }, filter.agent === agent, { agent }),
    ),
    { kind: 'heading', id: 'folders', label: 'Folder' },
    choice({ id: 'folder-any', label: 'Any folder' }, filter.folder === null, { folder: null }),
    ...folders.map((folder) =>
      choice({ id: `folder-${folder}`, label: folderName(folder) }, filter.folder === folder, { folder }),
    ),
  ];
}

interface Named {
  readonly id: string;
  readonly label: string;
}
