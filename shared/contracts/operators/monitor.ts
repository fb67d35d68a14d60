import * as z from 'zod/mini';
import { monitorLimits } from '#shared/limits';

export const findingKinds = [
  /** The provider's script has a version that nobody has approved. */
  'script-changed',
  'script-unreadable',
  'script-not-listed',
  'script-missing',
  /** A file of ours is received with other bytes than were deployed. */
  'file-differs',
  'header-missing',
  'header-differs',
  'frame-not-listed',
  'connection-not-listed',
  /** The page showed no form, so that nothing of it was compared. */
  'page-not-shown',
] as const;

const { entries, text, hash } = monitorLimits;
const Text = z.string().check(z.maxLength(text));
const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: `A hash has ${hash} hexadecimal digits.` }));
const list = <T extends z.ZodMiniType>(of: T) => z.array(of).check(z.maxLength(entries));

/** What a look at the pay page saw; scripts by their name in docs/script-inventory.json, never with a pay id. */
const Seen = z.object({
  scripts: list(
    z.object({
      name: Text,
      /** Of the answer; 0 where none came. */
      status: z.number().check(z.int()),
      type: Text,
      bytes: z.number().check(z.int(), z.gte(0)),
      /** Of the body, in hexadecimal digits; null where there was none. */
      sha256: z.nullable(Sha256),
    }),
  ),
  /** `sha256-…` in base64, as a content policy names it. */
  inline: list(Text),
  headers: z.record(Text, Text),
  /** Addresses without query, and origins. */
  frames: list(Text),
  connections: list(Text),
});
export type Seen = z.infer<typeof Seen>;

export const MonitorFinding = z.object({ kind: z.enum(findingKinds), subject: Text, expected: Text, seen: Text });
export type MonitorFinding = z.infer<typeof MonitorFinding>;

/**
 * POST /api/monitor from `npm run monitor`, `Authorization: Bearer <MONITOR_SECRET>`: what a browser saw on the pay page.
 * 201 with `MonitorNoted`; 401 with another secret, 413 above `monitorLimits.report` bytes, 422 for a body whose hash is
 * not the one it says.
 */
export const MonitorReportBody = z.object({
  /** Name and version of the browser. */
  browser: Text,
  seen: Seen,
  findings: list(MonitorFinding),
  /** Versions of the provider's script that the Worker may not have, in base64. */
  versions: z.array(z.object({ sha256: Sha256, type: Text, body: z.base64() })).check(z.maxLength(2)),
});
export type MonitorReportBody = z.infer<typeof MonitorReportBody>;

const who = 'Say who approves it, in 2 to 100 characters.';
const why = `Give a reason of ${monitorLimits.reasonFrom} to ${monitorLimits.reason} characters.`;
const words = (min: number, max: number, error: string) =>
  z.pipe(
    z.string({ error }),
    z.pipe(
      z.transform((value: string) => value.trim()),
      z.string().check(z.minLength(min, { error }), z.maxLength(max, { error })),
    ),
  );

/** POST /api/monitor/approvals: a person accepts a version of the provider's script. 404 where none has that hash, 409 once it is approved. */
export const ApprovalBody = z.object({
  sha256: Sha256,
  by: words(2, 100, who),
  reason: words(monitorLimits.reasonFrom, monitorLimits.reason, why),
});
export type ApprovalBody = z.infer<typeof ApprovalBody>;

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
