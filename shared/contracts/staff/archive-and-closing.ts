import * as z from 'zod/mini';

/** Responses for the export and the closing of an account. Times are ISO 8601. */

/**
 * GET and POST /api/account/archive: a download of all records. `none`: not requested, or expired. `done` of `total`:
 * rows and files during creation. The file is the concatenation of its parts, available until `ends_at`:
 * GET /api/account/archive/{id}/parts/{0 to parts - 1}.
 */
export const ArchiveStatus = z.object({
  state: z.enum(['none', 'making', 'ready']),
  done: z.number(),
  total: z.number(),
  parts: z.number(),
  bytes: z.number(),
  /** Id of the download: a newer one has other parts. */
  id: z.nullable(z.string()),
  asked_at: z.nullable(z.string()),
  ready_at: z.nullable(z.string()),
  ends_at: z.nullable(z.string()),
});
export type ArchiveStatus = z.infer<typeof ArchiveStatus>;

/**
 * GET, PUT (ClosingBody) and DELETE /api/account/closing: the scheduled closing of the account. `stood`: sentences on
 * what prevented the last attempt. Days are YYYY-MM-DD in the account's time zone, from `earliest` to `latest`.
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

/** The last file of a download: its contents and the hash of each earlier part. Times are UTC ms, money is in cents. */
export type ArchiveManifest = {
  format: 1;
  /** The CRM account id. */
  account: number;
  clinic: number;
  /** `operator`: includes the terminals' encrypted keys. */
  kind: 'clinic' | 'operator';
  schema: number;
  beganAt: number;
  at: number;
  /** Number of audit events during creation; if above zero, the rows may be inconsistent. */
  acts: number;
  ledgerCents: number;
  /** Row count of each table. */
  counts: Record<string, number>;
  /** File counts. `missing`: referenced by a row, but no longer stored. */
  files: { signatures: number; receipts: number; missing: number };
  /** Each text of the archive; `sha256` is of the uncompressed content. */
  pieces: { name: string; table: string; rows: number; sha256: string }[];
  /** Size and hash of the earlier parts. */
  parts: { bytes: number; sha256: string }[];
  /** Omitted data of the clinic, with the reason. */
  leftOut: Record<string, string>;
};

/** Request to close the account. `business`: its name, to prevent an accidental closing. */
export const ClosingBody = z.object({
  closes_on: z.string('Choose a day.').check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Choose a day.')),
  business: z.string('Type the name of the business.').check(z.maxLength(300)),
});
export type ClosingBody = z.output<typeof ClosingBody>;
