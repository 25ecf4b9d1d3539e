/** The way from the header to a record: the conversation as it stands there. */
import type { RecordId } from '../record/ids.ts';
import type { StrandRecord } from '../record/schema.ts';
import type { StrandNode, StrandState } from './state.ts';

/**
 * The records from the header to `id`, both included; empty when `id` is null or not loaded. Records of
 * kinds we do not know are left out here and kept in `nodesTo`. In a window the path starts where it starts.
 */
export const pathTo = (state: StrandState, id: RecordId | null): readonly StrandRecord[] =>
  nodesTo(state, id).flatMap((node) => (node.record === null ? [] : [node.record]));

/** The same path as nodes, kinds of a newer Skein included. */
export const nodesTo = (state: StrandState, id: RecordId | null): readonly StrandNode[] => {
  const path: StrandNode[] = [];
  let node = id === null ? undefined : state.nodes.get(id);
  while (node !== undefined) {
    path.push(node);
    node = parentOf(state, node);
  }
  return path.reverse();
};

/**
 * The record above, or undefined for the header and where a window begins. In a window a damaged file can
 * name a parent that comes later: no walk may follow it, it could run in a circle.
 */
export const parentOf = (state: StrandState, node: StrandNode): StrandNode | undefined => {
  const parent = node.parent === null ? undefined : state.nodes.get(node.parent);
  return parent !== undefined && parent.seq < node.seq ? parent : undefined;
};

/** Whether `ancestor` lies on the path to `id`, `id` itself included. */
export const isOnPath = (state: StrandState, ancestor: RecordId, id: RecordId | null): boolean => {
  const from = state.nodes.get(ancestor);
  let node = id === null ? undefined : state.nodes.get(id);
  // Parents are always earlier in the file, so the walk may stop once it is past the ancestor.
  while (node !== undefined && from !== undefined && node.seq >= from.seq) {
    if (node.id === ancestor) return true;
    node = parentOf(state, node);
  }
  return false;
};
