import type { Unrecorded, WriteBack } from '#shared/contracts/write-back';
import { CSV_START, csvLine } from '#shared/csv';
import { decimalFromCents } from '#shared/money';
import { findTokens } from '#worker/data/crm-sync/tokens';
import type { CrmWriteSettings } from '#worker/data/schema/write-back';
import { findWriteSettings, saveWriteSettings } from '#worker/data/write-back/accounts';
import { listNewestPayments, type ToldPayment } from '#worker/data/write-back/unrecorded';
import type { Deps } from '#worker/deps';
import { auditEvent, recordExport } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import { isSeen } from './effect.ts';
import { WRITE_SCOPE } from './scopes.ts';

/** How many of the newest bookings are looked at. */
const NEWEST = 500;

/** Whether an account's payments are recorded in its CRM, and of which of them the CRM shows nothing. */
export async function viewWriteBack(deps: Deps, { accountId }: Pick<Merchant, 'accountId'>): Promise<WriteBack> {
  const { db, settings } = deps;
  const [own, tokens, payments] = [
    await findWriteSettings(db, accountId),
    await findTokens(db, accountId),
    await listNewestPayments(db, accountId, NEWEST),
  ];
  const isGranted = tokens?.revokedAt === null && tokens.scopes.split(' ').includes(WRITE_SCOPE);
  return {
    is_on: own?.isOn ?? false,
    is_offered: settings.HUBSPOT_OPTIONAL_SCOPES.split(' ').includes(WRITE_SCOPE),
    is_granted: isGranted,
    trouble: own?.isOn ? (isGranted ? (own.state === 'ready' ? '' : own.state) : 'not_allowed') : '',
    said: own?.said ?? '',
    recorded: payments.filter(isRecorded).length,
    unrecorded: payments.filter(isMissing).map((payment) => present(payment, own)),
    looked_at: payments.length,
  };
}

/** Only the balance says it, or a person. */
const isRecorded = (told: ToldPayment) => told.state === 'by_hand' || (told.state === 'written' && isSeen(told));

/** The CRM's own word goes first: an invoice that it shows as paid misses nothing. */
function isMissing({ crmStatus, state, effect, amountCents, refundedCents }: ToldPayment): boolean {
  if (crmStatus === 'paid' || state === 'by_hand' || refundedCents >= amountCents) return false;
  return state !== 'written' || effect === 'nothing_moved';
}

function present(payment: ToldPayment, own: CrmWriteSettings | undefined): Unrecorded {
  const state = payment.state === null ? 'not-told' : payment.state === 'written' ? 'nothing_moved' : payment.state;
  const waits = own?.isOn === true && own.state === 'ready' && state === 'due';
  return {
    id: payment.attemptId,
    invoice_id: payment.invoiceId,
    invoice_number: payment.invoiceNumber,
    customer: payment.customer,
    amount: decimalFromCents(payment.amountCents - payment.refundedCents),
    currency: payment.currency,
    paid_at: new Date(payment.at).toISOString(),
    transaction_id: payment.reference,
    state: state === 'by_hand' ? 'not-told' : state,
    why: payment.said ?? '',
    is_yours: !waits && state !== 'sent',
  };
}

/** Switch it on or off. On again, what the CRM refused is tried once more. */
export async function saveWriteBack(deps: Deps, you: Merchant, isOn: boolean): Promise<WriteBack> {
  const { accountId, userId } = you;
  const before = await findWriteSettings(deps.db, accountId);
  const event = auditEvent(deps, {
    accountId,
    action: 'write-back.changed',
    subject: ['account', String(accountId)],
    before: { on: before?.isOn ?? false },
    after: { on: isOn },
  });
  await saveWriteSettings(deps.db, { accountId, isOn, by: userId }, deps.now(), event);
  deps.log.info('write-back-changed', { accountId, userId, isOn });
  return viewWriteBack(deps, you);
}

const HEAD = ['Invoice Number', 'Customer', 'Amount', 'Currency', 'Paid', 'Transaction', 'State', 'Why'];

/** What the CRM shows nothing of, for who enters it there. */
export async function exportUnrecorded(deps: Deps, you: Merchant): Promise<string> {
  const { unrecorded } = await viewWriteBack(deps, you);
  await recordExport(deps, you.accountId, 'payments not in the CRM', unrecorded.length);
  const lines = unrecorded.map((one) =>
    csvLine([
      one.invoice_number,
      one.customer,
      one.amount,
      one.currency,
      one.paid_at,
      one.transaction_id,
      one.state,
      one.why,
    ]),
  );
  return CSV_START + csvLine(HEAD) + lines.join('');
}
