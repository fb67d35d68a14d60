import { type Anchor, type Fault, findAnchorFault, findFaultInSeal, genesisHash } from '#shared/audit-chain';
import type { AuditVerified } from '#shared/contracts/staff/audit';
import {
  findCheckState,
  findSealHash,
  listDueChecks,
  listDueSealMails,
  queueSealMail,
  readChain,
  saveCheck,
} from '#worker/data/audit/checks';
import { readNewestAnchor } from '#worker/data/audit/seals';
import { findCreationTime } from '#worker/data/directory/clinics';
import type { AuditCheck, AuditSeal } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';

/** The end of a seal, from which a check continues. `seq` 0: the beginning, whose hash is not stored. */
export type ChainLink = { seq: number; hash: string };

export type RecomputeResult = {
  /** The last seal that matched. */
  reached: ChainLink;
  fault: Fault | null;
  /** True if no seal follows, or a fault was found. */
  isEnd: boolean;
};

/** The limits of one pass, in a request or in a step of the schedule. */
const MAX_SEALS = 100;
const MAX_EVENTS = 2000;

/** Recomputes the chain from the given seal on, for up to 2,000 events. */
export async function recomputeChain(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  from: ChainLink,
): Promise<RecomputeResult> {
  const { seals, events, connectedAt } = await readChain(db, accountId, from.seq, {
    seals: MAX_SEALS,
    events: MAX_EVENTS,
  });
  const lastRead = events.length < MAX_EVENTS ? Number.MAX_SAFE_INTEGER : (events.at(-1)?.seq ?? 0);
  let reached = from.seq === 0 ? { seq: 0, hash: await genesisHash(accountId, connectedAt) } : from;
  for (const seal of seals) {
    if (seal.to_seq > lastRead) return { reached, fault: null, isEnd: false };
    const rows = events.filter(({ seq }) => seal.from_seq <= seq && seq <= seal.to_seq);
    const fault = await findFaultInSeal(seal, rows, { hash: reached.hash, toSeq: reached.seq, now: now() });
    if (fault) return { reached, fault, isEnd: true };
    reached = { seq: seal.to_seq, hash: seal.hash };
  }
  return { reached, fault: null, isEnd: seals.length < MAX_SEALS };
}

export const describeFault = ({ seq, what, why }: Fault): string => `Event ${seq} is ${what}: ${why}.`;

export const describeCut = (seq: number, reached: number): string =>
  `Events up to ${seq} were verified before, and the seals end at ${reached} now.`;

const DAY_MS = 86_400_000;
/** The number of accounts per run; a long trail takes several runs. */
const ACCOUNTS_PER_RUN = 2;
/** The number of days to search back for an anchor; the schedule writes one a day. */
const ANCHOR_DAYS = 3;

/** Once a day, recomputes each account's chain from its beginning and stores the result. */
export async function verifyTrails(deps: Deps): Promise<void> {
  const due = await listDueChecks(deps.db, deps.now(), ACCOUNTS_PER_RUN);
  const anchor = due.length > 0 ? await readClinicAnchor(deps) : null;
  for (const check of due) {
    await verifyTrail(deps, check, anchor).catch((cause: unknown) =>
      deps.log.info('audit-check-failed', { accountId: check.accountId, cause: causeOf(cause) }),
    );
  }
}

/** The newest anchor, or null if it predates this clinic: it would belong to an erased clinic. */
async function readClinicAnchor({ anchors, installation, clinic, now }: Deps): Promise<Anchor | null> {
  const anchor = await readNewestAnchor(anchors, now(), ANCHOR_DAYS);
  return anchor && Date.parse(anchor.at) >= (await findCreationTime(installation, clinic)) ? anchor : null;
}

async function verifyTrail(deps: Deps, check: AuditCheck, anchor: Anchor | null): Promise<void> {
  const { db, log, now } = deps;
  const { accountId } = check;
  const from = { seq: check.reachedSeq, hash: check.reachedHash };
  const { reached, fault: chainFault, isEnd } = await recomputeChain(deps, accountId, from);
  if (!isEnd) {
    await saveCheck(db, check, { reachedSeq: reached.seq, reachedHash: reached.hash, dueAt: now() });
    return;
  }
  const fault = chainFault ?? (await faultByAnchor(deps, accountId, anchor, reached.seq));
  const isCut = !fault && reached.seq < check.seq;
  const problem = fault ? describeFault(fault) : isCut ? describeCut(check.seq, reached.seq) : '';
  if (problem) log.alert('audit-trail-broken', { accountId, problem });
  const result = { reachedSeq: 0, reachedHash: '', at: now(), dueAt: now() + DAY_MS, problem };
  // After a fault, the last good end is kept: a truncated tail must not become the new end.
  await saveCheck(
    db,
    check,
    problem ? result : { ...result, seq: reached.seq, hash: reached.seq > 0 ? reached.hash : '' },
  );
}

/**
 * Compares the chain with the anchor: a completely rewritten chain is consistent by itself, but not with the anchor
 * outside the database.
 */
async function faultByAnchor(
  { db }: Deps,
  accountId: number,
  anchor: Anchor | null,
  lastSeq: number,
): Promise<Fault | null> {
  const head = anchor?.accounts.find(({ account }) => account === accountId);
  if (!head) return null;
  const hash = await findSealHash(db, accountId, head.seq);
  return findAnchorFault(head, new Map(hash === undefined ? [] : [[head.seq, hash]]), lastSeq);
}

type TrailState = { check: AuditCheck | undefined; newest: AuditSeal | undefined };

/**
 * Returns the event up to which a trail is verified: the schedule's last result, plus up to 2,000 events sealed since,
 * recomputed now. Null if there is no seal.
 */
export async function verifyNewest(
  deps: Deps,
  accountId: number,
  { check, newest }: TrailState,
): Promise<AuditVerified | null> {
  const verifiedLink = { seq: check?.seq ?? 0, hash: check?.hash ?? '' };
  const isoOf = (at: number) => new Date(at).toISOString();
  const lastResult = check?.at == null ? null : { seq: verifiedLink.seq, at: isoOf(check.at), problem: check.problem };
  if (lastResult?.problem) return lastResult;
  if (!newest)
    return verifiedLink.seq > 0
      ? { ...verifiedLink, at: isoOf(deps.now()), problem: describeCut(verifiedLink.seq, 0) }
      : null;
  if (newest.toSeq === verifiedLink.seq && newest.hash === verifiedLink.hash && lastResult) return lastResult;
  if (newest.toSeq <= verifiedLink.seq)
    return { seq: newest.toSeq, at: isoOf(deps.now()), problem: describeCut(verifiedLink.seq, newest.toSeq) };
  const { reached, fault } = await recomputeChain(deps, accountId, verifiedLink);
  return { seq: reached.seq, at: isoOf(deps.now()), problem: fault ? describeFault(fault) : '' };
}

const WEEK_MS = 7 * 86_400_000;
/** The number of emails per run. It is small, so that the next run always has room for receipts. */
const MAILS_PER_RUN = 2;

/** Queues the weekly emails that are due, each with the newest seal of its account. */
export async function queueWeeklyMails(deps: Deps): Promise<void> {
  const { db, newId, now } = deps;
  for (const due of await listDueSealMails(db, now(), MAILS_PER_RUN)) {
    const trailState = await findCheckState(db, due.accountId, due.userId);
    const verifiedState = await verifyNewest(deps, due.accountId, trailState);
    const { newest } = trailState;
    const details = {
      seq: String(newest?.toSeq ?? 0),
      hash: newest?.hash ?? '',
      at: newest ? new Date(newest.at).toISOString() : '',
      verified: String(verifiedState?.seq ?? 0),
      problem: verifiedState?.problem ?? '',
    };
    // Missed weeks, as after an outage, are not made up for.
    await queueSealMail(db, due, { id: `audit-seal-${newId()}`, details, now: now(), nextAt: now() + WEEK_MS });
  }
}

/**
 * For the schedule: verifies the trails that are due, and queues a clinic's weekly emails, which report how far they
 * are verified.
 */
export async function checkTrails(deps: Deps): Promise<void> {
  await verifyTrails(deps);
  if (deps.clinic !== 0) await queueWeeklyMails(deps);
}
