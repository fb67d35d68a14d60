import { findStanding, listDueSealMails, oweSealMail } from '#worker/data/audit/checks';
import type { Deps } from '#worker/deps';
import { verifyNewest } from './verify-newest.ts';

const WEEK_MS = 7 * 86_400_000;
/** Of one run: few, so that receipts always find room in the next one. */
const MAILS = 2;

/** Owe the weekly mails that are due, each with the newest seal of its account. */
export async function oweWeeklyMails(deps: Deps): Promise<void> {
  const { db, newId, now } = deps;
  for (const due of await listDueSealMails(db, now(), MAILS)) {
    const standing = await findStanding(db, due.accountId, due.userId);
    const verified = await verifyNewest(deps, due.accountId, standing);
    const { newest } = standing;
    const details = {
      seq: String(newest?.toSeq ?? 0),
      hash: newest?.hash ?? '',
      at: newest ? new Date(newest.at).toISOString() : '',
      verified: String(verified?.seq ?? 0),
      problem: verified?.problem ?? '',
    };
    // Weeks that nothing was sent in, as after a pause of the product, are not made up for.
    await oweSealMail(db, due, { id: `audit-seal-${newId()}`, details, now: now(), nextAt: now() + WEEK_MS });
  }
}
