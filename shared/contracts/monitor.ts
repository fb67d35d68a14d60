import type { MonitorFinding } from './monitor-request.ts';

/** A finding that stands, as it was seen first and last (UTC ms). */
export type OpenFinding = MonitorFinding & {
  source: 'inside' | 'outside';
  firstSeenAt: number;
  lastSeenAt: number;
  timesSeen: number;
};

/** GET /api/monitor: what the monitor compares with, and how it stands. */
export type MonitorState = {
  /** Hashes of the approved versions of the provider's script, in hexadecimal digits. */
  approved: string[];
  /** Our own files of the pay page as they are deployed: name in the inventory → SHA-256 in hexadecimal digits. */
  files: Record<string, string>;
  /** When a look of either kind was last complete (UTC ms); null: never. */
  lastRuns: { inside: number | null; outside: number | null };
  findings: OpenFinding[];
};

export type MonitorNoted = { runId: string; newFindings: number };
export type Approved = { closedFindings: number };
