import type { AuditVerified } from '#shared/contracts/audit';
import type { AuditCheck, AuditSeal } from '#worker/data/schema/audit-screen';
import type { Deps } from '#worker/deps';
import { recompute, sayCut, sayFault } from './recompute.ts';

type Standing = { check: AuditCheck | undefined; newest: AuditSeal | undefined };

/**
 * Up to which event a trail is verified: as the schedule found it last, and what was sealed since recomputed now, some
 * thousand events at most. Null: there is no seal.
 */
export async function verifyNewest(
  deps: Deps,
  accountId: number,
  { check, newest }: Standing,
): Promise<AuditVerified | null> {
  const before = { seq: check?.seq ?? 0, hash: check?.hash ?? '' };
  const isoOf = (at: number) => new Date(at).toISOString();
  const known = check?.at == null ? null : { seq: before.seq, at: isoOf(check.at), problem: check.problem };
  if (known?.problem) return known;
  if (!newest) return before.seq > 0 ? { ...before, at: isoOf(deps.now()), problem: sayCut(before.seq, 0) } : null;
  if (newest.toSeq === before.seq && newest.hash === before.hash && known) return known;
  if (newest.toSeq <= before.seq)
    return { seq: newest.toSeq, at: isoOf(deps.now()), problem: sayCut(before.seq, newest.toSeq) };
  const { reached, fault } = await recompute(deps, accountId, before);
  return { seq: reached.seq, at: isoOf(deps.now()), problem: fault ? sayFault(fault) : '' };
}
