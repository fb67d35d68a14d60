import * as z from 'zod/mini';
import { Email } from '../person-request.ts';

/** Responses of `/api/operate` for the operator's programs. Times are UTC ms, money is in cents. */

const numberOrNull = z.nullable(z.number());
const numbers = z.record(z.string(), z.number());

/** A clinic in the directory. `account`: null after erasure or during a restore. */
export const ListedClinic = z.object({
  clinic: z.number(),
  account: numberOrNull,
  name: z.string(),
  schema: z.number(),
  foundedAt: z.number(),
  heardAt: z.number(),
  erasedAt: numberOrNull,
  bytes: z.number(),
  needsHuman: z.number(),
  failingSince: numberOrNull,
  stuckSince: numberOrNull,
  lastPaymentAt: numberOrNull,
  /** End of its last nightly dump; 0 if none yet. */
  dumpedAt: z.number(),
});
export type ListedClinic = z.infer<typeof ListedClinic>;

/** `schema`: number of migrations in the running version. `next`: clinic number after which to continue. */
export const ClinicList = z.object({ clinics: z.array(ListedClinic), schema: z.number(), next: numberOrNull });
export type ClinicList = z.infer<typeof ClinicList>;

export type ExportRow = Record<string, string | number | null>;
/**
 * The manifest of a nightly dump, written last. `pieces`: compressed files of the same bucket with lines as in an
 * export; `sha256` is of the uncompressed content. `acts`: number of audit events during the dump; if
 * above zero, its rows may be inconsistent. `days`: the ledger's sum of each local day.
 */
export const DumpManifest = z.object({
  clinic: z.number(),
  account: z.number(),
  schema: z.number(),
  beganAt: z.number(),
  at: z.number(),
  acts: z.number(),
  ledgerCents: z.number(),
  days: numbers,
  counts: numbers,
  pieces: z.array(z.object({ key: z.string(), table: z.string(), rows: z.number(), sha256: z.string() })),
});
export type DumpManifest = z.infer<typeof DumpManifest>;

/** A clinic's dumps, oldest first; account 0 is the installation. `folder` identifies a dump. */
export const DumpList = z.object({
  dumps: z.array(
    z.object({ folder: z.string(), at: z.number(), rows: z.number(), acts: z.number(), ledgerCents: z.number() }),
  ),
});
export type DumpList = z.infer<typeof DumpList>;

/** Figures of one clinic, without payer data. */
export const InspectedClinic = z.extend(ListedClinic, {
  counts: numbers,
  ledgerCents: z.number(),
  payments: numbers,
  mailsDue: z.number(),
  oldestMailAt: numberOrNull,
  isConnected: z.boolean(),
  restoredAt: numberOrNull,
  isCatchingUp: z.boolean(),
  readUntil: numbers,
});
export type InspectedClinic = z.infer<typeof InspectedClinic>;

/** `parts`: expected bytes of each part of the archive; empty for a dump. */
export const RestoreBegun = z.object({ clinic: z.number(), parts: z.array(z.number()) });
export type RestoreBegun = z.infer<typeof RestoreBegun>;
export const RestoreEnded = z.object({
  clinic: z.number(),
  account: z.number(),
  rows: z.number(),
  ledgerCents: z.number(),
  restoredAt: z.number(),
});
export type RestoreEnded = z.infer<typeof RestoreEnded>;

/**
 * `kept`: location of the evidence that is retained until `keptUntil`. `dumpsUntil`: time by which the lifecycle rule
 * of the backup bucket has deleted the last dump.
 */
export const ClinicErased = z.object({
  clinic: z.number(),
  kept: z.string(),
  keptUntil: z.number(),
  dumpsUntil: z.number(),
  rows: z.number(),
  pictures: z.number(),
});
export type ClinicErased = z.infer<typeof ClinicErased>;

/** `invited`: the address is not in the team, so an invitation was emailed. `others`: the other administrators. */
export const HandedOver = z.object({ kind: z.enum(['made', 'invited']), others: z.array(z.string()) });
export type HandedOver = z.infer<typeof HandedOver>;

/** `rows`: database rows, by column name. */
export const PersonPlace = z.object({
  name: z.string(),
  rows: z.array(z.record(z.string(), z.unknown())),
  erasable: z.number(),
  stays: z.string(),
});
export type PersonPlace = z.infer<typeof PersonPlace>;
export const PersonErasedPlace = z.object({
  name: z.string(),
  found: z.number(),
  erased: z.number(),
  stays: z.string(),
});
export type PersonErasedPlace = z.infer<typeof PersonErasedPlace>;
/** The records about a person in one database, or the erased records. */
export const PersonShown = z.object({ shown: z.array(PersonPlace) });
export type PersonShown = z.infer<typeof PersonShown>;
export const PersonErased = z.object({ erased: z.array(PersonErasedPlace) });
export type PersonErased = z.infer<typeof PersonErased>;

export const TrailEnds = z.object({
  accountId: z.number(),
  connectedAt: z.number(),
  first: z.number(),
  last: z.number(),
});
export type TrailEnds = z.infer<typeof TrailEnds>;
export const TrailRows = z.object({ rows: z.array(z.record(z.string(), z.union([z.string(), z.number()]))) });
export type TrailRows = z.infer<typeof TrailRows>;

/** An account's newest seal, stored outside the database. `seq` is also its number of events. */
export const AnchorHead = z.object({ account: z.number(), seq: z.number(), hash: z.string() });
export type AnchorHead = z.infer<typeof AnchorHead>;
/** The anchor of a day, with every account that had a seal. `at`: ISO time. */
export const Anchor = z.object({ at: z.string(), accounts: z.array(AnchorHead) });
export type Anchor = z.infer<typeof Anchor>;
/** GET /api/operate/anchor: the newest one. */
export const AnchorReply = z.object({ anchor: z.nullable(Anchor) });

/** Request bodies of `/api/operate`. */

const wholeNumber = z.number().check(z.int(), z.gte(0));
/** The folder of a dump. */
const folder = z.string().check(z.regex(/^(nightly|monthly)\/\d{1,15}\/[0-9TZ-]{1,30}\/$/));

/** From the manifest of a dump or archive; account 0 is the installation. */
export const RestoreBody = z.object({
  account: wholeNumber,
  schema: wholeNumber,
});

/** `folder`: the dump; without it, the archive with which the restore began. */
export const RestoreEndBody = z.object({ account: wholeNumber, folder: z.optional(folder) });

/** `folder`: the dump of the piece. */
export const RestorePieceBody = z.object({ folder });

export const PersonBody = z.object({
  email: z.string().check(z.regex(/^\s*[^\s@]+@[^\s@]+\s*$/, 'Give the address of a person.'), z.maxLength(320)),
  erase: z.boolean(),
});

export const HandOverBody = z.object({ email: Email });

export const EraseBody = z.object({ name: z.string().check(z.maxLength(300)) });
