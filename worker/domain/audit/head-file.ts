import type { AuditHeadFile } from '#shared/contracts/audit';
import { listAnchors } from '#worker/data/audit/anchors';
import { findStanding } from '#worker/data/audit/checks';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { type AccountUser, headOf } from './standing.ts';

/** What to do with the file, for who keeps it. */
const HOW_TO_VERIFY = [
  'Keep this file, or the weekly mail, where nobody who runs this installation can change it.',
  'Each event is hashed by SHA-256 over its fields in the order of the table, each with its length before it; a seal hashes the events that it stands for together with the hash of the seal before it.',
  'Export the audit trail as CSV later. The seal that ends at this number must still have this hash: then no event up to it was changed, taken out or put in.',
  'Whoever runs the installation recomputes the whole chain with: npm run audit:verify -- --account <account>',
];

export const readOwnHead = (deps: Deps, { accountId }: AccountUser): Promise<AuditHeadFile> =>
  headFile(deps, accountId);

export const readInstallationHead = (deps: Deps): Promise<AuditHeadFile> => headFile(deps, INSTALLATION);

/** Days whose anchors stand in the file. */
const DAYS = 14;

async function headFile(deps: Deps, accountId: number): Promise<AuditHeadFile> {
  const [{ newest }, anchors] = await Promise.all([
    findStanding(deps.db, accountId, null),
    listAnchors(deps.anchors, deps.now(), DAYS),
  ]);
  return {
    account: accountId,
    head: newest ? headOf(newest) : null,
    anchors: anchors.flatMap(({ at, accounts }) => {
      const own = accounts.find(({ account }) => account === accountId);
      return own ? [{ seq: own.seq, hash: own.hash, count: own.seq, at }] : [];
    }),
    how_to_verify: HOW_TO_VERIFY,
  };
}
