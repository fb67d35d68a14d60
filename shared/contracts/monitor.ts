import * as z from 'zod/mini';
import { MonitorFinding } from './monitor-request.ts';

/** A finding that stands, as it was seen first and last (UTC ms). */
export const OpenFinding = z.extend(MonitorFinding, {
  source: z.enum(['inside', 'outside']),
  firstSeenAt: z.number(),
  lastSeenAt: z.number(),
  timesSeen: z.number(),
});
export type OpenFinding = z.infer<typeof OpenFinding>;

/** GET /api/monitor: what the monitor compares with, and how it stands. */
export const MonitorState = z.object({
  /** Hashes of the approved versions of the provider's script, in hexadecimal digits. */
  approved: z.array(z.string()),
  /** Our own files of the pay page as they are deployed: name in the inventory → SHA-256 in hexadecimal digits. */
  files: z.record(z.string(), z.string()),
  /** When a look of either kind was last complete (UTC ms); null: never. */
  lastRuns: z.object({ inside: z.nullable(z.number()), outside: z.nullable(z.number()) }),
  findings: z.array(OpenFinding),
});
export type MonitorState = z.infer<typeof MonitorState>;

/** POST /api/monitor */
export const MonitorNoted = z.object({ runId: z.string(), newFindings: z.number() });
export type MonitorNoted = z.infer<typeof MonitorNoted>;
/** POST /api/monitor/approvals */
export const Approved = z.object({ closedFindings: z.number() });
export type Approved = z.infer<typeof Approved>;
