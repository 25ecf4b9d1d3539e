/** The opened capabilities of one bridge or CLI process, as flows are wired from them. */
import type { AgentDriver } from '../agents/driver.ts';
import type { PermissionDesk } from '../agents/permission-desk.ts';
import type { RunningTurns } from '../agents/running-turns.ts';
import type { Environment } from '../config.ts';
import type { Jobs } from '../events/jobs.ts';
import type { EventHub } from '../events/types.ts';
import type { HistoryStore } from '../history/types.ts';
import type { IndexClient } from '../index/client.ts';
import type { Git } from '../platform/git.ts';
import type { OpenProcessHost } from '../platform/process-group.ts';
import type { PageStateStore } from '../settings/page-state.ts';
import type { QueueStore } from '../settings/queues.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Waypoints } from '../settings/waypoints.ts';
import type { SnapshotStore } from '../snapshots/types.ts';
import type { Upkeep } from '../snapshots/upkeep/types.ts';
import type { StrandStore } from '../strands/types.ts';
import type { WriterPool } from '../strands/writer-pool.ts';
import type { Announcements } from './announcements.ts';
import type { SessionRules } from './session-rules.ts';

export interface Parts {
  readonly environment: Environment;
  readonly dataDir: string;
  readonly configDir: string;
  readonly git: Git | null;
  readonly store: StrandStore;
  readonly pool: WriterPool;
  readonly snapshots: SnapshotStore;
  readonly upkeep: Upkeep;
  readonly history: HistoryStore;
  readonly index: IndexClient;
  readonly settings: SettingsStore;
  readonly page: PageStateStore;
  readonly queues: QueueStore;
  readonly waypoints: Waypoints;
  readonly hub: EventHub;
  readonly jobs: Jobs;
  readonly running: RunningTurns;
  readonly desk: PermissionDesk;
  readonly processes: OpenProcessHost;
  readonly drivers: readonly AgentDriver[];
  readonly rules: SessionRules;
  readonly announcements: Announcements;
  /** From now on this text appears in no log. */
  readonly hideInLog: (secret: string) => void;
  readonly startedAt: string;
}
