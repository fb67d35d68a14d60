import type { Mailing, MailingInvoice } from '#shared/contracts/mailings';
import { UNDO_MS } from '#shared/undo';
import { beginMailing, type MailingInvoiceRow, newestMailing, stopMailing } from '#worker/data/mailings/mailings';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';

type Who = Pick<Merchant, 'accountId' | 'userId'>;

/**
 * Mail their payment links to the payers of these invoices, by the clinic's clock: it begins after the time in which it
 * can be taken back. The same id again is the same mailing.
 */
export async function askForMailing(
  deps: Deps,
  { accountId, userId }: Who,
  id: string,
  invoiceIds: string[],
): Promise<Mailing | null | 'busy'> {
  const { db, log, now } = deps;
  const at = now();
  const event = auditEvent(deps, {
    accountId,
    action: 'mailing.asked-for',
    subject: ['mailing', id],
    after: { invoices: invoiceIds.length },
  });
  const mailing = { id, accountId, by: userId, invoiceIds, startsAt: at + UNDO_MS };
  if ((await beginMailing(db, mailing, at, event)) === 'busy') return 'busy';
  log.info('mailing-asked-for', { accountId, userId, invoices: invoiceIds.length });
  return viewMailing(deps, accountId);
}

/** Take a mailing back, or stop it: who was not mailed yet is left out. Null: it is not the account's newest, so it is over. */
export async function stopOwnMailing(deps: Deps, { accountId, userId }: Who, id: string): Promise<Mailing | null> {
  if ((await newestMailing(deps.db, accountId))?.id !== id) return null;
  const event = auditEvent(deps, { accountId, action: 'mailing.stopped', subject: ['mailing', id] });
  await stopMailing(deps.db, { id, accountId }, deps.now(), event);
  deps.log.info('mailing-stopped', { accountId, userId });
  return viewMailing(deps, accountId);
}

/** The newest mailing of an account, with what became of each invoice. Null: there was none. */
export async function viewMailing({ db, now }: Pick<Deps, 'db' | 'now'>, accountId: number): Promise<Mailing | null> {
  const found = await newestMailing(db, accountId);
  if (!found) return null;
  return {
    id: found.id,
    asked_at: new Date(found.requestedAt).toISOString(),
    starts_in_ms: found.nextAt === null ? 0 : Math.max(0, found.startsAt - now()),
    is_over: found.nextAt === null,
    is_stopped: found.stoppedAt !== null,
    invoices: found.invoices.map(presentInvoice),
  };
}

function presentInvoice(row: MailingInvoiceRow): MailingInvoice {
  const { id, number, why, mail } = row;
  const of = (state: MailingInvoice['state'], at = row.at, reason: MailingInvoice['why'] = null): MailingInvoice => ({
    ...{ id, number, state, why: reason, at: new Date(at).toISOString() },
  });
  if (row.state === 'left-out') return of('left-out', row.at, why === '' ? null : why);
  if (mail === 'failed') return of('left-out', row.sentAt ?? row.at, 'refused');
  if (mail === 'due') return of('sending');
  // A mail that was handed over and is not there any more was sent long ago.
  return mail === 'sent' || row.state === 'handed' ? of('sent', row.sentAt ?? row.at) : of('waiting');
}
