import {
  type AnchorHead,
  type EventRow,
  type Fault,
  faultAgainst,
  faultIn,
  genesisHash,
  type SealRow,
} from './audit-chain.ts';

/** The tables of the trail, wherever they are read from. */
export type TrailReader = {
  /** Seals of an account after a number, in order; at most `limit`. */
  seals(accountId: number, afterSeq: number, limit: number): Promise<SealRow[]>;
  /** Events of an account from a number to another, in order. */
  events(accountId: number, fromSeq: number, toSeq: number): Promise<EventRow[]>;
  /** The lowest and highest number of an account's events; both 0 without any. */
  ends(accountId: number): Promise<{ first: number; last: number }>;
};

export type Verified = {
  /** The first row that is not as it was sealed or anchored; null: all is well as far as `to`. */
  fault: Fault | null;
  /** The last number that is sealed and as it was sealed. */
  to: number;
  /** Events after that, which no seal stands over yet. */
  unsealed: number;
  /** Events that are sealed and not anchored yet: cut off, they would not be missed. */
  unanchored: number;
};

const SEALS = 100;
/** More events than one answer of the database should hold are read in parts. */
const EVENTS = 1000;

/**
 * Verify the trail of one account, from its beginning. `connectedAt`: UTC ms, 0 for the installation. `head`: what the
 * newest anchor has of it; undefined: nothing.
 */
export async function verifyTrail(
  reader: TrailReader,
  { accountId, connectedAt }: { accountId: number; connectedAt: number },
  head: AnchorHead | undefined,
  now: number,
): Promise<Verified> {
  const { first, last } = await reader.ends(accountId);
  const ends = new Map<number, string>();
  let before = { hash: await genesisHash(accountId, connectedAt), toSeq: 0, now };
  const verdict = (fault: Fault | null): Verified => ({
    fault,
    to: before.toSeq,
    unsealed: Math.max(0, last - before.toSeq),
    unanchored: Math.max(0, before.toSeq - (head?.seq ?? 0)),
  });
  if (first < 0 || (first === 0 && last > 0))
    return verdict({ seq: first, what: 'inserted', why: 'numbers begin at 1' });
  for (;;) {
    const seals = await reader.seals(accountId, before.toSeq, SEALS);
    for (const seal of seals) {
      const fault = await faultIn(seal, await reader.events(accountId, seal.from_seq, seal.to_seq), before);
      if (fault) return verdict(fault);
      ends.set(seal.to_seq, seal.hash);
      before = { hash: seal.hash, toSeq: seal.to_seq, now };
    }
    if (seals.length < SEALS) break;
  }
  const anchored = head ? faultAgainst(head, ends, before.toSeq) : null;
  return verdict(anchored ?? (await holeIn(reader, accountId, before.toSeq, last)));
}

/** Events without a seal follow one another too. */
async function holeIn(reader: TrailReader, accountId: number, toSeq: number, last: number): Promise<Fault | null> {
  let expected = toSeq + 1;
  while (expected <= last) {
    const rows = await reader.events(accountId, expected, Math.min(last, expected + EVENTS - 1));
    for (const { seq } of rows) {
      if (seq !== expected) break;
      expected += 1;
    }
    if (rows.length === 0 || rows.at(-1)?.seq !== expected - 1)
      return { seq: expected, what: 'missing', why: 'no seal stands over it yet, and later events are there' };
  }
  return null;
}
