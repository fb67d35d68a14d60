import * as z from 'zod/mini';
import { Email } from '../person-request.ts';

/** Answers of `/api/operate`, which the operator's programs read. Times are UTC ms, money is in cents. */

const maybe = z.nullable(z.number());
const numbers = z.record(z.string(), z.number());

/** A clinic as the directory has it. `account`: null once it is erased, or while it is being restored. */
export const ListedClinic = z.object({
  clinic: z.number(),
  account: maybe,
  name: z.string(),
  schema: z.number(),
  foundedAt: z.number(),
  heardAt: z.number(),
  erasedAt: maybe,
  bytes: z.number(),
  needsHuman: z.number(),
  failingSince: maybe,
  stuckSince: maybe,
  lastPaymentAt: maybe,
  /** When its last nightly dump ended; 0: it has none yet. */
  dumpedAt: z.number(),
});
export type ListedClinic = z.infer<typeof ListedClinic>;

/** `schema`: how many migrations the answering version knows of; `next`: the number behind which to go on. */
export const ClinicList = z.object({ clinics: z.array(ListedClinic), schema: z.number(), next: maybe });
export type ClinicList = z.infer<typeof ClinicList>;

export type ExportRow = Record<string, string | number | null>;
/**
 * The end of a nightly dump, which is written last. `pieces`: files of the same bucket, lines as in an export, packed;
 * `sha256` of each before it was packed. `acts`: how many there were while it was written, so that its rows may not be
 * of one moment; `days`: the ledger's sum of each local day.
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

/** A clinic's dumps, oldest first; account 0: the installation's. `folder` names one. */
export const DumpList = z.object({
  dumps: z.array(
    z.object({ folder: z.string(), at: z.number(), rows: z.number(), acts: z.number(), ledgerCents: z.number() }),
  ),
});
export type DumpList = z.infer<typeof DumpList>;

/** Figures of one clinic; nothing of a payer. */
export const InspectedClinic = z.extend(ListedClinic, {
  counts: numbers,
  ledgerCents: z.number(),
  payments: numbers,
  mailsDue: z.number(),
  oldestMailAt: maybe,
  isConnected: z.boolean(),
  restoredAt: maybe,
  isCatchingUp: z.boolean(),
  readUntil: numbers,
});
export type InspectedClinic = z.infer<typeof InspectedClinic>;

/** `parts`: bytes of each run of the archive that is to follow; none where it is a dump. */
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
 * `kept`: where the evidence lies that stays until `keptUntil`. `dumpsUntil`: when the lifecycle of the bucket of
 * backups has ended the last of its dumps.
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

/** `invited`: nobody of that address is in the team, so a mail asks them to come. `others`: who else is administrator. */
export const HandedOver = z.object({ kind: z.enum(['made', 'invited']), others: z.array(z.string()) });
export type HandedOver = z.infer<typeof HandedOver>;

/** `rows`: columns as the database has them. */
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
/** What one database holds about a person, or what was erased of it. */
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

/** An account's newest seal at one moment, kept outside the database. `seq` is also how many events there were. */
export const AnchorHead = z.object({ account: z.number(), seq: z.number(), hash: z.string() });
export type AnchorHead = z.infer<typeof AnchorHead>;
/** One day's anchor: every account that had a seal then. `at` as an ISO time. */
export const Anchor = z.object({ at: z.string(), accounts: z.array(AnchorHead) });
export type Anchor = z.infer<typeof Anchor>;
/** GET /api/operate/anchor: the newest one. */
export const AnchorReply = z.object({ anchor: z.nullable(Anchor) });

/** What the operator's programs send to `/api/operate`. */

const whole = z.number().check(z.int(), z.gte(0));
/** Names a dump. */
const folder = z.string().check(z.regex(/^(nightly|monthly)\/\d{1,15}\/[0-9TZ-]{1,30}\/$/));

/** Out of the manifest of a dump; account 0 is the installation. */
export const RestoreBody = z.object({
  account: whole,
  schema: whole,
});

/** Of which dump; without one, of the archive that the restore was begun with. */
export const RestoreEndBody = z.object({ account: whole, folder: z.optional(folder) });

/** A piece of which dump. */
export const RestorePieceBody = z.object({ folder });

export const PersonBody = z.object({
  email: z.string().check(z.regex(/^\s*[^\s@]+@[^\s@]+\s*$/, 'Give the address of a person.'), z.maxLength(320)),
  erase: z.boolean(),
});

export const HandOverBody = z.object({ email: Email });

export const EraseBody = z.object({ name: z.string().check(z.maxLength(300)) });
