/** The strand as a tree: what was tried beside the current path, and where it left it. */
import type { RecordId } from '../record/ids.ts';
import { TIP_KINDS } from '../record/schema.ts';
import { nodesTo, parentOf } from './path.ts';
import type { StrandNode, StrandState } from './state.ts';

/** A path left behind when the tip moved; kept and reachable. */
export interface Offshoot {
  /** Last record of the current path that both share; null when the paths share nothing. */
  readonly from: RecordId | null;
  /** First record after `from`, and the last one: where a tip move would go. */
  readonly first: RecordId;
  readonly leaf: RecordId;
  /** Prompts after `from`. */
  readonly turns: number;
  readonly at: string;
}

/** Records that can be the tip, by effective parent, in file order. The header's parent is null. */
export const childrenOf = (state: StrandState): ReadonlyMap<RecordId | null, readonly StrandNode[]> => {
  const children = new Map<RecordId | null, StrandNode[]>();
  for (const node of state.nodes.values()) {
    if (!isTreeNode(node)) continue;
    const siblings = children.get(node.parent);
    if (siblings === undefined) children.set(node.parent, [node]);
    else siblings.push(node);
  }
  return children;
};

/** One per leaf that is not on the path to the tip, in file order of the leaves. */
export const offshootsOf = (state: StrandState): readonly Offshoot[] => {
  const onPath = new Set(nodesTo(state, state.tip).map((node) => node.id));
  const inner = innerNodes(state);
  const starts = new Map<RecordId, { from: StrandNode | null; first: RecordId }>();
  const offshoots: Offshoot[] = [];
  // Parents come before their children, so one pass knows where each branch began.
  for (const node of state.nodes.values()) {
    if (onPath.has(node.id)) continue;
    const parent = parentOf(state, node);
    const inherited = parent === undefined ? undefined : starts.get(parent.id);
    const start = inherited ?? { from: parent ?? null, first: node.id };
    starts.set(node.id, start);
    if (!TIP_KINDS.has(node.kind) || inner.has(node.id)) continue;
    const turns = node.prompts - (start.from?.prompts ?? 0);
    offshoots.push({ from: start.from?.id ?? null, first: start.first, leaf: node.id, turns, at: node.at });
  }
  return offshoots;
};

/** Records with one below that can be the tip, also where kinds of a newer Skein lie between. */
function innerNodes(state: StrandState): ReadonlySet<RecordId> {
  const inner = new Set<RecordId>();
  for (const node of state.nodes.values()) {
    if (!TIP_KINDS.has(node.kind)) continue;
    let above = parentOf(state, node);
    while (above !== undefined && !inner.has(above.id)) {
      inner.add(above.id);
      above = above.record === null ? parentOf(state, above) : undefined;
    }
  }
  return inner;
}

/** Unknown kinds may be parents, so they hold the tree together. */
function isTreeNode(node: StrandNode): boolean {
  return TIP_KINDS.has(node.kind) || (node.record === null && node.kind !== 'header');
}
