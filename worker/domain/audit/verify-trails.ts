import { type Anchor, type Fault, faultAgainst } from '#shared/audit-chain';
import { readNewestAnchor } from '#worker/data/audit/anchors';
import { findSealHash, listDueChecks, saveCheck } from '#worker/data/audit/checks';
import { foundedAt } from '#worker/data/directory/clinics';
import type { AuditCheck } from '#worker/data/schema/audit-screen';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { recompute, sayCut, sayFault } from './recompute.ts';

const DAY_MS = 86_400_000;
/** Accounts of one run; a long trail takes several. */
const ACCOUNTS = 2;
/** How far back an anchor is looked for; the schedule writes one a day. */
const ANCHOR_DAYS = 3;

/** Once a day recompute each account's chain from its beginning, and keep what was found. */
export async function verifyTrails(deps: Deps): Promise<void> {
  const due = await listDueChecks(deps.db, deps.now(), ACCOUNTS);
  const anchor = due.length > 0 ? await ownAnchor(deps) : null;
  for (const check of due) {
    await verifyTrail(deps, check, anchor).catch((cause: unknown) =>
      deps.log.info('audit-check-failed', { accountId: check.accountId, cause: causeOf(cause) }),
    );
  }
}

/** The newest anchor, unless it is from before this clinic: then it has the trail of one that was erased. */
async function ownAnchor({ anchors, installation, clinic, now }: Deps): Promise<Anchor | null> {
  const anchor = await readNewestAnchor(anchors, now(), ANCHOR_DAYS);
  return anchor && Date.parse(anchor.at) >= (await foundedAt(installation, clinic)) ? anchor : null;
}

async function verifyTrail(deps: Deps, check: AuditCheck, anchor: Anchor | null): Promise<void> {
  const { db, log, now } = deps;
  const { accountId } = check;
  const from = { seq: check.reachedSeq, hash: check.reachedHash };
  const { reached, fault: found, isEnd } = await recompute(deps, accountId, from);
  if (!isEnd) {
    await saveCheck(db, check, { reachedSeq: reached.seq, reachedHash: reached.hash, dueAt: now() });
    return;
  }
  const fault = found ?? (await faultByAnchor(deps, accountId, anchor, reached.seq));
  const isCut = !fault && reached.seq < check.seq;
  const problem = fault ? sayFault(fault) : isCut ? sayCut(check.seq, reached.seq) : '';
  if (problem) log.alert('audit-trail-broken', { accountId, problem });
  const whole = { reachedSeq: 0, reachedHash: '', at: now(), dueAt: now() + DAY_MS, problem };
  // After a fault the last good end stays: a cut tail must not become the new end.
  await saveCheck(
    db,
    check,
    problem ? whole : { ...whole, seq: reached.seq, hash: reached.seq > 0 ? reached.hash : '' },
  );
}

/** A chain that was rewritten as a whole agrees with itself; the anchor outside the database does not. */
async function faultByAnchor(
  { db }: Deps,
  accountId: number,
  anchor: Anchor | null,
  last: number,
): Promise<Fault | null> {
  const head = anchor?.accounts.find(({ account }) => account === accountId);
  if (!head) return null;
  const hash = await findSealHash(db, accountId, head.seq);
  return faultAgainst(head, new Map(hash === undefined ? [] : [[head.seq, hash]]), last);
}
