export interface ChangeBarProps {
  readonly added: number;
  readonly removed: number;
}

const CELLS = 5;

/** Five cells: how much of a change was added, how much removed. The numbers stand beside it. */
export function ChangeBar({ added, removed }: ChangeBarProps) {
  const total = added + removed;
  if (total === 0) return null;
  const filled = Math.min(CELLS, Math.max(1, Math.ceil(Math.log10(total + 1) * 2)));
  const green = added === 0 ? 0 : Math.max(removed === 0 ? filled : 1, Math.round((filled * added) / total));
  const colours = Array.from({ length: CELLS }, (_, index) => {
    if (index >= filled) return 'bg-active';
    return index < Math.min(green, removed === 0 ? filled : Math.max(1, filled - (filled > 1 ? 1 : 0)))
      ? 'bg-add'
      : 'bg-del';
  });
  return (
    <span aria-hidden="true" className="inline-flex gap-px">
      {colours.map((colour, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their place
        <span key={index} className={`h-2 w-1 rounded-[1px] ${colour}`} />
      ))}
    </span>
  );
}
