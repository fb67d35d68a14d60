import type { AnchorHead } from './contracts/operators/operate.ts';

export type { Anchor, AnchorHead } from './contracts/operators/operate.ts';

/**
 * The hash chain over the audit trail. Pure, so that the scheduled sealing, `npm run audit:verify` and readers of an
 * export compute the same hashes: SHA-256 in 64 hex digits.
 */

/** The columns of an event, in hashing order. */
export const EVENT_COLUMNS = [
  ...['account_id', 'seq', 'id', 'at', 'actor_kind', 'actor_id', 'session_id', 'ip_hash', 'action', 'subject_kind'],
  ...['subject_id', 'before', 'after', 'request_id'],
] as const;

/** A database row, by column name. */
export type EventRow = Record<string, string | number> & { seq: number };
export type SealRow = {
  account_id: number;
  from_seq: number;
  to_seq: number;
  /** The concatenated hashes of its events. */
  rows_hash: string;
  prev_hash: string;
  hash: string;
  at: number;
};

const HASH_LENGTH = 64;
const encoder = new TextEncoder();

/** Hashes fields, each prefixed with its length in bytes (32 bits), so that different lists never collide. */
export async function hashOf(fields: readonly (string | number)[]): Promise<string> {
  const texts = fields.map((field) => encoder.encode(String(field)));
  const bytes = new Uint8Array(texts.reduce((size, text) => size + 4 + text.length, 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const text of texts) {
    view.setUint32(offset, text.length);
    bytes.set(text, offset + 4);
    offset += 4 + text.length;
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const eventHash = (row: EventRow): Promise<string> => hashOf(EVENT_COLUMNS.map((name) => row[name] ?? ''));

/** The previous hash of an account's first seal. `connectedAt`: UTC ms, 0 for the installation. */
export const genesisHash = (accountId: number, connectedAt: number): Promise<string> =>
  hashOf(['tillway audit trail', accountId, connectedAt]);

const sealHash = (seal: Omit<SealRow, 'hash'>): Promise<string> =>
  hashOf([seal.account_id, seal.from_seq, seal.to_seq, seal.rows_hash, seal.prev_hash, seal.at]);

/** Seals consecutive events. Throws if one is missing. `at`: UTC ms. */
export async function sealEvents(accountId: number, rows: EventRow[], prevHash: string, at: number): Promise<SealRow> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || last.seq - first.seq !== rows.length - 1) throw new Error('these events cannot be sealed');
  const rowsHash = (await Promise.all(rows.map(eventHash))).join('');
  const ends = { account_id: accountId, from_seq: first.seq, to_seq: last.seq };
  const seal = { ...ends, rows_hash: rowsHash, prev_hash: prevHash, at };
  return { ...seal, hash: await sealHash(seal) };
}

/** The first row of an account that differs from its seal. */
export type Fault = { seq: number; what: 'altered' | 'missing' | 'inserted' | 'cut' | 'rewritten'; why: string };

/** Minimum retention of events (ms). Seals are never deleted. */
export const RETENTION_MS = 2557 * 86_400_000;

/** Reference for checking a seal: the previous seal and the current time. */
export type PreviousSeal = { hash: string; toSeq: number; now: number };

/** Returns the first fault in a seal and its events. `rows`: all rows from its first to its last number. */
export async function findFaultInSeal(seal: SealRow, rows: EventRow[], previous: PreviousSeal): Promise<Fault | null> {
  const { from_seq: from, to_seq: to } = seal;
  if (from !== previous.toSeq + 1)
    return from > previous.toSeq + 1
      ? { seq: previous.toSeq + 1, what: 'missing', why: `the seal over it is gone; the next one begins at ${from}` }
      : { seq: from, what: 'inserted', why: 'a second seal stands over it' };
  if (seal.prev_hash !== previous.hash)
    return { seq: from, what: 'altered', why: 'its seal does not follow the one before it' };
  if ((await sealHash(seal)) !== seal.hash) return { seq: from, what: 'altered', why: 'its seal was changed' };
  const sealedHashes = seal.rows_hash.match(new RegExp(`.{${HASH_LENGTH}}`, 'g')) ?? [];
  if (rows.length === 0 && seal.at < previous.now - RETENTION_MS) return null;
  return findFaultInRows(sealedHashes, rows, from, to);
}

async function findFaultInRows(
  sealedHashes: string[],
  rows: EventRow[],
  from: number,
  to: number,
): Promise<Fault | null> {
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  for (let seq = from; seq <= to; seq++) {
    const row = bySeq.get(seq);
    if (!row) return { seq, what: 'missing', why: 'it was sealed and is gone' };
    const hash = await eventHash(row);
    if (hash === sealedHashes[seq - from]) continue;
    // The next row shows whether this one was changed or inserted, or was removed and the later ones renumbered.
    const next = bySeq.get(seq + 1);
    if (next && (await eventHash({ ...next, seq })) === sealedHashes[seq - from])
      return { seq, what: 'inserted', why: 'the event that was sealed under its number stands one further' };
    if ((await eventHash({ ...row, seq: seq + 1 })) === sealedHashes[seq - from + 1])
      return { seq, what: 'missing', why: 'the next event has taken its number' };
    return { seq, what: 'altered', why: 'it is not what was sealed' };
  }
  return null;
}

/** Checks the chain against an anchor; null if it matches. `ends`: hash of every seal, by its last number. */
export function findAnchorFault(head: AnchorHead, ends: ReadonlyMap<number, string>, lastSeq: number): Fault | null {
  const hash = ends.get(head.seq);
  if (hash === head.hash) return null;
  if (lastSeq < head.seq)
    return { seq: lastSeq + 1, what: lastSeq === 0 ? 'missing' : 'cut', why: `events up to ${head.seq} were anchored` };
  const reason = hash === undefined ? 'no seal ends there any more' : 'another seal ends there now';
  return { seq: head.seq, what: 'rewritten', why: `the seal up to it was anchored, and ${reason}` };
}

/** Access to the tables of the trail, independent of the source. */
export type TrailReader = {
  /** Returns up to `limit` seals of an account after a number, in order. */
  seals(accountId: number, afterSeq: number, limit: number): Promise<SealRow[]>;
  /** Returns the events of an account between two numbers, inclusive, in order. */
  events(accountId: number, fromSeq: number, toSeq: number): Promise<EventRow[]>;
  /** Returns the lowest and highest event number of an account; both 0 without events. */
  ends(accountId: number): Promise<{ first: number; last: number }>;
};

export type TrailVerdict = {
  /** The first row that differs from its seal or anchor; null if there is none up to `to`. */
  fault: Fault | null;
  /** The last event number that matches its seal. */
  to: number;
  /** Number of later events without a seal. */
  unsealed: number;
  /** Number of sealed events without an anchor: their removal would not be detected. */
  unanchored: number;
};

const SEALS_PER_QUERY = 100;
/** Maximum events per database query. */
const EVENTS_PER_QUERY = 1000;

/**
 * Verifies the trail of one account from its beginning. `connectedAt`: UTC ms, 0 for the installation. `head`: entry of
 * the account in the newest anchor, or undefined.
 */
export async function verifyTrail(
  reader: TrailReader,
  { accountId, connectedAt }: { accountId: number; connectedAt: number },
  head: AnchorHead | undefined,
  now: number,
): Promise<TrailVerdict> {
  const { first, last } = await reader.ends(accountId);
  const ends = new Map<number, string>();
  let previous = { hash: await genesisHash(accountId, connectedAt), toSeq: 0, now };
  const verdict = (fault: Fault | null): TrailVerdict => ({
    fault,
    to: previous.toSeq,
    unsealed: Math.max(0, last - previous.toSeq),
    unanchored: Math.max(0, previous.toSeq - (head?.seq ?? 0)),
  });
  if (first < 0 || (first === 0 && last > 0))
    return verdict({ seq: first, what: 'inserted', why: 'numbers begin at 1' });
  for (;;) {
    const seals = await reader.seals(accountId, previous.toSeq, SEALS_PER_QUERY);
    for (const seal of seals) {
      const fault = await findFaultInSeal(seal, await reader.events(accountId, seal.from_seq, seal.to_seq), previous);
      if (fault) return verdict(fault);
      ends.set(seal.to_seq, seal.hash);
      previous = { hash: seal.hash, toSeq: seal.to_seq, now };
    }
    if (seals.length < SEALS_PER_QUERY) break;
  }
  const anchorFault = head ? findAnchorFault(head, ends, previous.toSeq) : null;
  return verdict(anchorFault ?? (await findGap(reader, accountId, previous.toSeq, last)));
}

/** Returns a fault if the unsealed events are not consecutive. */
async function findGap(reader: TrailReader, accountId: number, toSeq: number, last: number): Promise<Fault | null> {
  let expected = toSeq + 1;
  while (expected <= last) {
    const rows = await reader.events(accountId, expected, Math.min(last, expected + EVENTS_PER_QUERY - 1));
    for (const { seq } of rows) {
      if (seq !== expected) break;
      expected += 1;
    }
    if (rows.length === 0 || rows.at(-1)?.seq !== expected - 1)
      return { seq: expected, what: 'missing', why: 'no seal stands over it yet, and later events are there' };
  }
  return null;
}
