import { type Fault, faultIn, genesisHash } from '#shared/audit-chain';
import { readChain } from '#worker/data/audit/checks';
import type { Deps } from '#worker/deps';

/** The end of a seal: what a check goes on from. `seq` 0: the beginning, where the hash is not stored. */
export type Link = { seq: number; hash: string };

export type Recomputed = {
  /** The last seal that agreed. */
  reached: Link;
  fault: Fault | null;
  /** No seal is left behind it. */
  isEnd: boolean;
};

/** Of one go, in a request or in a step of the schedule. */
const SEALS = 100;
const EVENTS = 2000;

/** Recompute the chain from a seal on, some thousand events at most. */
export async function recompute(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  from: Link,
): Promise<Recomputed> {
  const { seals, events, connectedAt } = await readChain(db, accountId, from.seq, { seals: SEALS, events: EVENTS });
  const lastRead = events.length < EVENTS ? Number.MAX_SAFE_INTEGER : (events.at(-1)?.seq ?? 0);
  let reached = from.seq === 0 ? { seq: 0, hash: await genesisHash(accountId, connectedAt) } : from;
  for (const seal of seals) {
    if (seal.to_seq > lastRead) return { reached, fault: null, isEnd: false };
    const rows = events.filter(({ seq }) => seal.from_seq <= seq && seq <= seal.to_seq);
    const fault = await faultIn(seal, rows, { hash: reached.hash, toSeq: reached.seq, now: now() });
    if (fault) return { reached, fault, isEnd: true };
    reached = { seq: seal.to_seq, hash: seal.hash };
  }
  return { reached, fault: null, isEnd: seals.length < SEALS };
}

/** A fault as a sentence. */
export const sayFault = ({ seq, what, why }: Fault): string => `Event ${seq} is ${what}: ${why}.`;

export const sayCut = (seq: number, reached: number): string =>
  `Events up to ${seq} were verified before, and the seals end at ${reached} now.`;
