/** A row of the list of sessions, as the bridge answers it. */
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';

export const aSummary = (more: Partial<StrandSummary> = {}): StrandSummary => ({
  id: 'a1b2c3d4e5f6' as StrandId,
  name: null,
  title: 'fix the login test',
  cwd: '/srv/project',
  agent: 'script',
  model: null,
  mode: null,
  turns: 2,
  messages: 4,
  cost: 0.5,
  createdAt: '2026-01-02T03:00:00.000Z',
  updatedAt: '2026-01-02T03:58:00.000Z',
  state: 'idle',
  archived: false,
  pinned: false,
  changed: true,
  bad: 0,
  readOnly: null,
  ...more,
});
