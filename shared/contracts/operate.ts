/** Answers of `/api/operate`, which the operator's programs read. Times are UTC ms, money is in cents. */

/** A clinic as the directory has it. `account`: null once it is erased, or while it is being restored. */
export type ListedClinic = {
  clinic: number;
  account: number | null;
  name: string;
  schema: number;
  foundedAt: number;
  heardAt: number;
  erasedAt: number | null;
  bytes: number;
  needsHuman: number;
  failingSince: number | null;
  stuckSince: number | null;
  lastPaymentAt: number | null;
  /** When its last nightly dump ended; 0: it has none yet. */
  dumpedAt: number;
};

/** `schema`: how many migrations the answering version knows of; `next`: the number behind which to go on. */
export type ClinicList = { clinics: ListedClinic[]; schema: number; next: number | null };

export type ExportRow = Record<string, string | number | null>;
/**
 * The end of a nightly dump, which is written last. `pieces`: files of the same bucket, lines as in an export, packed;
 * `sha256` of each before it was packed. `acts`: how many there were while it was written, so that its rows may not be
 * of one moment; `days`: the ledger's sum of each local day.
 */
export type DumpManifest = {
  clinic: number;
  account: number;
  schema: number;
  beganAt: number;
  at: number;
  acts: number;
  ledgerCents: number;
  days: Record<string, number>;
  counts: Record<string, number>;
  pieces: { key: string; table: string; rows: number; sha256: string }[];
};

/** A clinic's dumps, oldest first; account 0: the installation's. `folder` names one. */
export type DumpList = { dumps: { folder: string; at: number; rows: number; acts: number; ledgerCents: number }[] };

/** Figures of one clinic; nothing of a payer. */
export type InspectedClinic = ListedClinic & {
  counts: Record<string, number>;
  ledgerCents: number;
  payments: Record<string, number>;
  mailsDue: number;
  oldestMailAt: number | null;
  isConnected: boolean;
  restoredAt: number | null;
  isCatchingUp: boolean;
  readUntil: Record<string, number>;
};

/** `parts`: bytes of each run of the archive that is to follow; none where it is a dump. */
export type RestoreBegun = { clinic: number; parts: number[] };
export type RestoreEnded = { clinic: number; account: number; rows: number; ledgerCents: number; restoredAt: number };
/**
 * `kept`: where the evidence lies that stays until `keptUntil`. `dumpsUntil`: when the lifecycle of the bucket of
 * backups has ended the last of its dumps.
 */
export type ClinicErased = {
  clinic: number;
  kept: string;
  keptUntil: number;
  dumpsUntil: number;
  rows: number;
  pictures: number;
};

/** `invited`: nobody of that address is in the team, so a mail asks them to come. `others`: who else is administrator. */
export type HandedOver = { kind: 'made' | 'invited'; others: string[] };

/** `rows`: columns as the database has them. */
export type PersonPlace = {
  name: string;
  rows: Record<string, unknown>[];
  erasable: number;
  stays: string;
};
export type PersonErasedPlace = { name: string; found: number; erased: number; stays: string };
/** What one database holds about a person, or what was erased of it. */
export type PersonShown = { shown: PersonPlace[] };
export type PersonErased = { erased: PersonErasedPlace[] };

export type TrailEnds = { accountId: number; connectedAt: number; first: number; last: number };
export type TrailRows = { rows: Record<string, string | number>[] };
