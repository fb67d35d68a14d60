import * as z from 'zod/mini';
import { monitorLimits } from '#shared/limits';

export const findingKinds = [
  /** A third-party script, such as the card provider's, has an unapproved version. */
  'script-changed',
  'script-unreadable',
  'script-not-listed',
  'script-missing',
  /** One of our files differs from the deployed bytes. */
  'file-differs',
  'header-missing',
  'header-differs',
  'frame-not-listed',
  'connection-not-listed',
  /** The page showed no form, so nothing was compared. */
  'page-not-shown',
] as const;

const { entries, text, hash } = monitorLimits;
const Text = z.string().check(z.maxLength(text));
const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: `A hash has ${hash} hexadecimal digits.` }));
const list = <T extends z.ZodMiniType>(item: T) => z.array(item).check(z.maxLength(entries));

/** The observations of a pay page check. Scripts are named as in docs/script-inventory.json, never with a pay id. */
const ObservedPage = z.object({
  scripts: list(
    z.object({
      name: Text,
      /** HTTP status; 0 without a response. */
      status: z.number().check(z.int()),
      type: Text,
      bytes: z.number().check(z.int(), z.gte(0)),
      /** Hash of the body in hexadecimal digits; null without a body. */
      sha256: z.nullable(Sha256),
    }),
  ),
  /** `sha256-…` in base64, as in a content security policy. */
  inline: list(Text),
  headers: z.record(Text, Text),
  /** URLs without query, and origins. */
  frames: list(Text),
  connections: list(Text),
});
export type ObservedPage = z.infer<typeof ObservedPage>;

export const MonitorFinding = z.object({ kind: z.enum(findingKinds), subject: Text, expected: Text, seen: Text });
export type MonitorFinding = z.infer<typeof MonitorFinding>;

/**
 * POST /api/monitor from `npm run monitor`, `Authorization: Bearer <MONITOR_SECRET>`: a browser's view of the pay page.
 * 201 with `MonitorNoted`; 401 with another secret, 413 above `monitorLimits.report` bytes, 422 if the hash of a body
 * does not match.
 */
export const MonitorReportBody = z.object({
  /** Name and version of the browser. */
  browser: Text,
  seen: ObservedPage,
  findings: list(MonitorFinding),
  /** Versions of third-party scripts that the Worker may lack, in base64. */
  versions: z.array(z.object({ sha256: Sha256, type: Text, body: z.base64() })).check(z.maxLength(2)),
});
export type MonitorReportBody = z.infer<typeof MonitorReportBody>;

const APPROVER_ERROR = 'Say who approves it, in 2 to 100 characters.';
const REASON_ERROR = `Give a reason of ${monitorLimits.reasonMin} to ${monitorLimits.reason} characters.`;
const boundedText = (min: number, max: number, error: string) =>
  z.pipe(
    z.string({ error }),
    z.pipe(
      z.transform((value: string) => value.trim()),
      z.string().check(z.minLength(min, { error }), z.maxLength(max, { error })),
    ),
  );

/** POST /api/monitor/approvals: approves a version of a third-party script. 404 if unknown, 409 if approved. */
export const ApprovalBody = z.object({
  sha256: Sha256,
  by: boundedText(2, 100, APPROVER_ERROR),
  reason: boundedText(monitorLimits.reasonMin, monitorLimits.reason, REASON_ERROR),
});
export type ApprovalBody = z.infer<typeof ApprovalBody>;

/** An open finding, with its first and last observation (UTC ms). */
export const OpenFinding = z.extend(MonitorFinding, {
  source: z.enum(['inside', 'outside']),
  firstSeenAt: z.number(),
  lastSeenAt: z.number(),
  timesSeen: z.number(),
});
export type OpenFinding = z.infer<typeof OpenFinding>;

/** GET /api/monitor: the expected values and the current state of the monitor. */
export const MonitorState = z.object({
  /** Hashes of the approved versions of third-party scripts, in hexadecimal digits. */
  approved: z.array(z.string()),
  /** Our deployed files of the pay page: SHA-256 in hexadecimal digits, by inventory name. */
  files: z.record(z.string(), z.string()),
  /** Last complete check of each kind (UTC ms), or null. */
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
