import * as z from 'zod/mini';

/** Answers of what an account takes along, and of its end. Times are ISO 8601. */

/**
 * GET and POST /api/account/archive: a download of all records. `none`: nobody asked for one, or it has ended. `done` of
 * `total`: rows and files, while it is made. Its file is its parts one after the other, which are there until `ends_at`:
 * GET /api/account/archive/{id}/parts/{0 to parts - 1}.
 */
export const ArchiveStatus = z.object({
  state: z.enum(['none', 'making', 'ready']),
  done: z.number(),
  total: z.number(),
  parts: z.number(),
  bytes: z.number(),
  /** Names the download: one that was made anew meanwhile has other parts. */
  id: z.nullable(z.string()),
  asked_at: z.nullable(z.string()),
  ready_at: z.nullable(z.string()),
  ends_at: z.nullable(z.string()),
});
export type ArchiveStatus = z.infer<typeof ArchiveStatus>;

/**
 * GET, PUT (ClosingBody) and DELETE /api/account/closing: whether the account closes. `stood`: what kept it open at the
 * last try, a sentence each. Days are YYYY-MM-DD in the account's time zone; `earliest` and `latest` may be named.
 */
export const ClosingStatus = z.object({
  closes_on: z.nullable(z.string()),
  asked_at: z.nullable(z.string()),
  asked_by: z.nullable(z.string()),
  stood: z.array(z.string()),
  business: z.string(),
  earliest: z.string(),
  latest: z.string(),
});
export type ClosingStatus = z.infer<typeof ClosingStatus>;

/** The last file of a download, which has what it holds and the hash of each part before it. Times in UTC ms, money in cents. */
export type ArchiveManifest = {
  format: 1;
  /** Whose records: the CRM's number of the account. */
  account: number;
  clinic: number;
  /** `operator`: it has terminals' sealed keys too. */
  kind: 'clinic' | 'operator';
  schema: number;
  beganAt: number;
  at: number;
  /** How many acts there were while it was written, so that its rows may not be of one moment. */
  acts: number;
  ledgerCents: number;
  /** Rows of each table. */
  counts: Record<string, number>;
  /** Files, such as `signatures` and `receipts`; `missing`: named by a row, and no longer there. */
  files: { signatures: number; receipts: number; missing: number };
  /** Each text of the archive; `sha256` of it before it was packed. */
  pieces: { name: string; table: string; rows: number; sha256: string }[];
  /** Bytes and hash of the runs of the file before this one. */
  parts: { bytes: number; sha256: string }[];
  /** What of a clinic is not in it, with the reason. */
  leftOut: Record<string, string>;
};

/** What an administrator sends who ends the account. `business`: its name, so that a slip closes nothing. */
export const ClosingBody = z.object({
  closes_on: z.string('Choose a day.').check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Choose a day.')),
  business: z.string('Type the name of the business.').check(z.maxLength(300)),
});
export type ClosingBody = z.output<typeof ClosingBody>;
