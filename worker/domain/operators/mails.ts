import { deliveries } from '#shared/contracts/lists/mail-values';
import type { Mails, OperatorMails } from '#shared/contracts/operators/operator';
import { findClinicRow } from '#worker/data/directory/clinics';
import { listSentMails, listUnsentMails, type UnsentMails } from '#worker/data/operators/unsent-mails';
import type { Deps } from '#worker/deps';

/** A queued email older than this (ms) counts as unsent; one whose first try failed counts at once. */
const UNSENT_AFTER_MS = 5 * 60_000;
/** How long a failed email is shown (ms). */
const FAILED_SHOWN_MS = 30 * 86_400_000;
/** Maximum number of sent emails listed. */
const MAX_SENT = 100;

const iso = (at: number) => new Date(at).toISOString();

/** Unsent emails for the overview, a clinic's page and the page of emails. `limit`: the maximum number listed. */
export const presentMails = (
  { due, failed, waiting, oldestAt: oldest, mails, deliveries: deliveryCounts }: UnsentMails,
  limit = mails.length,
): Mails => ({
  due,
  failed,
  waiting,
  oldest: oldest === null ? null : iso(oldest),
  items: mails.slice(0, limit).map(({ id, kind, about, state, tries, at, next }) => ({
    id,
    kind,
    about,
    state,
    tries,
    at: iso(at),
    next_at: iso(next),
  })),
  told: deliveries.flatMap((delivery) => {
    const count = deliveryCounts.find((entry) => entry.delivery === delivery);
    return count ? [{ delivery, n: count.n }] : [];
  }),
});

/** An email counts as unsent if it was queued before or failed after these times (UTC ms). */
export const unsentTimes = (now: number) => ({
  queuedBefore: now - UNSENT_AFTER_MS,
  failedFrom: now - FAILED_SHOWN_MS,
});

/**
 * Emails of a clinic or, for 0, of the installation, without their recipients. `mailDeps`: the deps of its database.
 * Null if there is no such clinic, or it was erased.
 */
export async function viewMails(deps: Deps, mailDeps: Deps, clinic: number): Promise<OperatorMails | null> {
  const row = clinic === 0 ? null : await findClinicRow(deps.installation, clinic);
  if (clinic !== 0 && (!row || row.accountId === null)) return null;
  const account = row?.accountId ?? null;
  const [unsent, sentMails] = await Promise.all([
    listUnsentMails(mailDeps.db, account, unsentTimes(deps.now())),
    listSentMails(mailDeps.db, account, MAX_SENT),
  ]);
  return {
    name: row?.name ?? '',
    ...presentMails(unsent),
    sent: sentMails.map(({ id, kind, at: sentAt, delivery }) => ({ id, kind, at: iso(sentAt), delivery })),
  };
}
