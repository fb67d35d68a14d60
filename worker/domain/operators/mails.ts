import { deliveries } from '#shared/contracts/lists/mail-values';
import type { Mails, OperatorMails } from '#shared/contracts/operators/operator';
import { findClinicRow } from '#worker/data/directory/clinics';
import { listSent, listUnsent, type Unsent } from '#worker/data/operators/unsent-mails';
import type { Deps } from '#worker/deps';

/** A queued email older than this (ms) counts as unsent; one whose first try failed counts at once. */
const OWED_MS = 5 * 60_000;
/** How long a failed email is shown (ms). */
const FAILED_MS = 30 * 86_400_000;
/** Maximum number of sent emails listed. */
const MAX_SENT = 100;

const iso = (at: number) => new Date(at).toISOString();

/** Unsent emails for the overview, a clinic's page and the page of emails. `limit`: the maximum number listed. */
export const mailsOf = (
  { due, failed, waiting, oldestAt: oldest, mails, deliveries: told }: Unsent,
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
    const count = told.find((entry) => entry.delivery === delivery);
    return count ? [{ delivery, n: count.n }] : [];
  }),
});

/** An email counts as unsent if it was queued before or failed after these times (UTC ms). */
export const unsentSpans = (now: number) => ({ queuedBefore: now - OWED_MS, failedFrom: now - FAILED_MS });

/**
 * Emails of a clinic or, for 0, of the installation, without their recipients. `mailDeps`: the deps of its database.
 * Null if there is no such clinic, or it was erased.
 */
export async function viewMails(deps: Deps, mailDeps: Deps, clinic: number): Promise<OperatorMails | null> {
  const row = clinic === 0 ? null : await findClinicRow(deps.installation, clinic);
  if (clinic !== 0 && (!row || row.accountId === null)) return null;
  const account = row?.accountId ?? null;
  const [unsent, sent] = await Promise.all([
    listUnsent(mailDeps.db, account, unsentSpans(deps.now())),
    listSent(mailDeps.db, account, MAX_SENT),
  ]);
  return {
    name: row?.name ?? '',
    ...mailsOf(unsent),
    sent: sent.map(({ id, kind, at: sentAt, delivery }) => ({ id, kind, at: iso(sentAt), delivery })),
  };
}
