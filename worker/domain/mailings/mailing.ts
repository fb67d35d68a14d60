import type { LeftOutWhy, Mailing, MailingInvoice } from '#shared/contracts/payments/pay-links';
import { UNDO_MS } from '#shared/limits';
import {
  abandonMailing,
  beginMailing,
  claimMailings,
  type DueMailing,
  goOnAt,
  type MailingInvoiceRow,
  mailOf,
  newestMailing,
  nextWaiting,
  readAgainst,
  settleInvoice,
  stopMailing,
} from '#worker/data/mailings/mailings';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import { type MailOutcome, mailOneOfMany } from '#worker/domain/preview/mail';

type Who = Pick<Merchant, 'accountId' | 'userId'>;

/**
 * Starts a mailing of pay links for these invoices, sent by the clinic's alarm after the undo period. The same id again
 * is the same mailing.
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
  log.info('mailing-requested', { accountId, userId, invoices: invoiceIds.length });
  return viewMailing(deps, accountId);
}

/**
 * Cancels or stops a mailing: the remaining payers are not mailed. Null if it is not the account's newest and is thus
 * over.
 */
export async function stopOwnMailing(deps: Deps, { accountId, userId }: Who, id: string): Promise<Mailing | null> {
  if ((await newestMailing(deps.db, accountId))?.id !== id) return null;
  const event = auditEvent(deps, { accountId, action: 'mailing.stopped', subject: ['mailing', id] });
  await stopMailing(deps.db, { id, accountId }, deps.now(), event);
  deps.log.info('mailing-stopped', { accountId, userId });
  return viewMailing(deps, accountId);
}

/** The newest mailing of an account, with the result for each invoice. Null if there was none. */
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
  const { id, number, currency, why, mail } = row;
  const of = (state: MailingInvoice['state'], at = row.at, reason: MailingInvoice['why'] = null): MailingInvoice => ({
    id,
    number,
    currency,
    state,
    why: reason,
    at: new Date(at).toISOString(),
  });
  if (row.state === 'left-out') return of('left-out', row.at, why === '' ? null : why);
  if (mail === 'failed') return of('left-out', row.sentAt ?? row.at, 'refused');
  if (mail === 'due') return of('sending');
  // A queued mail that no longer exists was sent long ago.
  return mail === 'sent' || row.state === 'handed' ? of('sent', row.sentAt ?? row.at) : of('waiting');
}

/** Links per run: receipts and payments come before the next ones. */
const AT_ONCE = 10;
/** Pause between two runs (ms). */
const BREATH_MS = 1000;
/** A run that takes longer (ms) is considered dead. */
const TURN_MS = 5 * 60_000;
/** Pause (ms) of the whole mailing after a mail that could not be sent. */
const PAUSE_MS = 60_000;
/** A mailing is given up when it is older than this (ms). */
const LATEST_MS = 12 * 3_600_000;
/** A payer who received a link within this time (ms) is skipped. */
const JUST_MS = 3_600_000;

/** Runs in the clinic's alarm: sends some links of each mailing. */
export async function sendMailings(deps: Deps): Promise<void> {
  for (const mailing of await claimMailings(deps.db, deps.now(), deps.now() + TURN_MS)) await sendSome(deps, mailing);
}

async function sendSome(deps: Deps, mailing: DueMailing): Promise<void> {
  const { db, now } = deps;
  if (now() - mailing.startsAt > LATEST_MS) await abandonMailing(db, mailing, now());
  for (const invoiceId of await nextWaiting(db, mailing.id, AT_ONCE)) {
    const left = await sendOne(deps, mailing, invoiceId);
    if (left === 'later') return goOnAt(db, mailing.id, now() + PAUSE_MS);
    await settleInvoice(db, mailing.id, invoiceId, left.why, now());
    if (left.isLast) return goOnAt(db, mailing.id, now() + PAUSE_MS);
  }
  await goOnAt(db, mailing.id, now() + BREATH_MS);
}

/**
 * Sends one link. `why`: the reason, if no mail was queued. `isLast`: the mail service accepts none now. `later`: the
 * CRM is unavailable too.
 */
async function sendOne(
  deps: Deps,
  { id, accountId, requestedBy }: DueMailing,
  invoiceId: string,
): Promise<'later' | { why: LeftOutWhy; isLast?: boolean }> {
  const who = { accountId, userId: requestedBy, role: 'desk' as const, sessionId: '' };
  const outcome = await mailOneOfMany(deps, who, invoiceId, {
    mailing: id,
    mailId: mailOf(id, invoiceId),
    against: (address) => whyNot(deps, { accountId, invoiceId, address }),
  });
  if (outcome.kind === 'crm-unavailable') return 'later';
  return outcome.kind === 'left-out'
    ? { why: outcome.why }
    : { why: wordOf(outcome), isLast: outcome.kind === 'queued' };
}

async function whyNot(
  { db, now }: Deps,
  of: { accountId: number; invoiceId: string; address: string },
): Promise<LeftOutWhy | null> {
  const { isMailed, bad } = await readAgainst(db, of, now() - JUST_MS);
  return bad ?? (isMailed ? 'just-mailed' : null);
}

function wordOf(outcome: Exclude<MailOutcome, { kind: 'crm-unavailable' }>): LeftOutWhy {
  switch (outcome.kind) {
    case 'not-payable':
      return outcome.state;
    case 'being-revoked':
    case 'no-address':
    case 'bad-address':
      return outcome.kind;
    case 'too-many':
      return { pause: 'just-mailed', day: 'invoice-full', account: 'day-full' }[outcome.reason] as LeftOutWhy;
    case 'not-found':
      return 'gone';
    // Its mail is in the outbox, or was until it was refused.
    case 'sent':
    case 'queued':
    case 'not-paid':
    case 'no-items':
    case 'dead-address':
      return 'refused';
  }
}
