import type { Mailing, MailingInvoice, SkipReason } from '#shared/contracts/payments/pay-links';
import { UNDO_MS } from '#shared/limits';
import {
  abandonMailing,
  claimMailings,
  continueMailing,
  type DueMailing,
  findMailObstacles,
  findNewestMailing,
  finishInvoice,
  listNextWaiting,
  type MailingInvoiceRow,
  mailIdOf,
  startMailing,
  stopMailing,
} from '#worker/data/mailings/mailings';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import { type MailOutcome, mailForMailing } from '#worker/domain/preview/mail-invoice';

type Caller = Pick<Merchant, 'accountId' | 'userId'>;

/**
 * Starts a mailing of pay links for these invoices, sent by the clinic's alarm after the undo period. A repeated id
 * refers to the same mailing.
 */
export async function requestMailing(
  deps: Deps,
  { accountId, userId }: Caller,
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
  const mailing = { id, accountId, requestedBy: userId, invoiceIds, startsAt: at + UNDO_MS };
  if ((await startMailing(db, mailing, at, event)) === 'busy') return 'busy';
  log.info('mailing-requested', { accountId, userId, invoices: invoiceIds.length });
  return viewMailing(deps, accountId);
}

/**
 * Cancels or stops a mailing: the remaining payers are not mailed. Null if the account has a newer mailing, since this
 * one is then over.
 */
export async function stopOwnMailing(deps: Deps, { accountId, userId }: Caller, id: string): Promise<Mailing | null> {
  if ((await findNewestMailing(deps.db, accountId))?.id !== id) return null;
  const event = auditEvent(deps, { accountId, action: 'mailing.stopped', subject: ['mailing', id] });
  await stopMailing(deps.db, { id, accountId }, deps.now(), event);
  deps.log.info('mailing-stopped', { accountId, userId });
  return viewMailing(deps, accountId);
}

/** The newest mailing of an account, with the result for each invoice. Null if there was none. */
export async function viewMailing({ db, now }: Pick<Deps, 'db' | 'now'>, accountId: number): Promise<Mailing | null> {
  const newestMailing = await findNewestMailing(db, accountId);
  if (!newestMailing) return null;
  return {
    id: newestMailing.id,
    asked_at: new Date(newestMailing.requestedAt).toISOString(),
    starts_in_ms: newestMailing.nextAt === null ? 0 : Math.max(0, newestMailing.startsAt - now()),
    is_over: newestMailing.nextAt === null,
    is_stopped: newestMailing.stoppedAt !== null,
    invoices: newestMailing.invoices.map(presentInvoice),
  };
}

function presentInvoice(row: MailingInvoiceRow): MailingInvoice {
  const { id, number, currency, why, mail } = row;
  const withState = (
    state: MailingInvoice['state'],
    at = row.at,
    reason: MailingInvoice['why'] = null,
  ): MailingInvoice => ({
    id,
    number,
    currency,
    state,
    why: reason,
    at: new Date(at).toISOString(),
  });
  if (row.state === 'left-out') return withState('left-out', row.at, why === '' ? null : why);
  if (mail === 'failed') return withState('left-out', row.sentAt ?? row.at, 'refused');
  if (mail === 'due') return withState('sending');
  // A queued email that no longer exists was sent long ago.
  return mail === 'sent' || row.state === 'handed' ? withState('sent', row.sentAt ?? row.at) : withState('waiting');
}

/** The number of links per run. Receipts and payments are handled before the next run. */
const LINKS_PER_RUN = 10;
/** Pause between two runs (ms). */
const NEXT_RUN_MS = 1000;
/** A run that takes longer (ms) is considered dead. */
const MAX_RUN_MS = 5 * 60_000;
/** Pause (ms) of the whole mailing after an email that could not be sent. */
const PAUSE_MS = 60_000;
/** A mailing is given up when it is older than this (ms). */
const MAX_AGE_MS = 12 * 3_600_000;
/** A payer who received a link within this time (ms) is skipped. */
const RECENT_MS = 3_600_000;

/** Sends the next links of each mailing. Runs in the clinic's alarm. */
export async function sendMailings(deps: Deps): Promise<void> {
  for (const mailing of await claimMailings(deps.db, deps.now(), deps.now() + MAX_RUN_MS))
    await sendNextLinks(deps, mailing);
}

async function sendNextLinks(deps: Deps, mailing: DueMailing): Promise<void> {
  const { db, now } = deps;
  if (now() - mailing.startsAt > MAX_AGE_MS) await abandonMailing(db, mailing, now());
  for (const invoiceId of await listNextWaiting(db, mailing.id, LINKS_PER_RUN)) {
    const outcome = await sendLink(deps, mailing, invoiceId);
    if (outcome === 'later') return continueMailing(db, mailing.id, now() + PAUSE_MS);
    await finishInvoice(db, mailing.id, invoiceId, outcome.reason, now());
    if (outcome.isLast) return continueMailing(db, mailing.id, now() + PAUSE_MS);
  }
  await continueMailing(db, mailing.id, now() + NEXT_RUN_MS);
}

/**
 * Sends one link. `reason`: set if no email was queued. `isLast`: the mail service accepts no more now. `later`:
 * the CRM is unavailable.
 */
async function sendLink(
  deps: Deps,
  { id, accountId, requestedBy }: DueMailing,
  invoiceId: string,
): Promise<'later' | { reason: SkipReason; isLast?: boolean }> {
  const sender = { accountId, userId: requestedBy, role: 'desk' as const, sessionId: '' };
  const outcome = await mailForMailing(deps, sender, invoiceId, {
    mailing: id,
    mailId: mailIdOf(id, invoiceId),
    findSkipReason: (address) => findReasonToSkip(deps, { accountId, invoiceId, address }),
  });
  if (outcome.kind === 'crm-unavailable') return 'later';
  return outcome.kind === 'left-out'
    ? { reason: outcome.reason }
    : { reason: reasonFor(outcome), isLast: outcome.kind === 'queued' };
}

async function findReasonToSkip(
  { db, now }: Deps,
  target: { accountId: number; invoiceId: string; address: string },
): Promise<SkipReason | null> {
  const { isMailed, bad } = await findMailObstacles(db, target, now() - RECENT_MS);
  return bad ?? (isMailed ? 'just-mailed' : null);
}

function reasonFor(outcome: Exclude<MailOutcome, { kind: 'crm-unavailable' }>): SkipReason {
  switch (outcome.kind) {
    case 'not-payable':
      return outcome.state;
    case 'being-revoked':
    case 'no-address':
    case 'bad-address':
      return outcome.kind;
    case 'too-many':
      return { pause: 'just-mailed', day: 'invoice-full', account: 'day-full' }[outcome.reason] as SkipReason;
    case 'not-found':
      return 'gone';
    // The email is in the outbox, or was until it was refused.
    case 'sent':
    case 'queued':
    case 'not-paid':
    case 'no-items':
    case 'dead-address':
      return 'refused';
  }
}
