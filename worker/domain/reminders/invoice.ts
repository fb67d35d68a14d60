import type { InvoiceReminders, NoReminder } from '#shared/contracts/payments/reminders';
import { excludeInvoice, type ReminderFacts, readReminderFacts } from '#worker/data/reminders/invoice';
import { type ReminderPlan, readPlan } from '#worker/data/reminders/plans';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { payableState } from '#worker/domain/invoices/invoice-balance';
import { loadMerchantInvoice, type MerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';
import { nextReminderAt } from './next.ts';

/** The reminders of a merchant's own invoice. Null if it is not in our database. */
export async function viewInvoiceReminders(deps: Deps, caller: Merchant, id: string): Promise<InvoiceReminders | null> {
  const loaded = await loadMerchantInvoice(deps, caller, id);
  if (!loaded?.invoice) return null;
  const [plan, facts] = await Promise.all([
    readPlan(deps.db, caller.accountId),
    readReminderFacts(deps.db, caller.accountId, loaded.invoiceId),
  ]);
  const { isExcluded, stoppedAt, last } = facts;
  return {
    is_on: plan?.nextRunAt != null,
    is_excluded: isExcluded === 1,
    stopped_at: isoOf(stoppedAt),
    last: last.at === null ? null : { ...last, at: new Date(last.at).toISOString() },
    ...presentNextReminder(deps, loaded, plan, facts),
  };
}

const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

type NextReminder = Pick<InvoiceReminders, 'next_at' | 'why_none'>;

function presentNextReminder(
  { now, settings }: Deps,
  loaded: MerchantInvoice,
  plan: ReminderPlan | null,
  facts: ReminderFacts,
): NextReminder {
  const withoutReminder = (why_none: NoReminder): NextReminder => ({ next_at: null, why_none });
  const { invoice, account, tokens } = loaded;
  if (!invoice || payableState(invoice, settings.MAX_AMOUNT_CENTS) !== 'payable') return withoutReminder('not-payable');
  if (!account || account.closesAt !== null) return withoutReminder('closing');
  if (!tokens || tokens.revokedAt !== null) return withoutReminder('disconnected');
  if (plan?.nextRunAt == null) return withoutReminder('off');
  if (facts.isExcluded === 1) return withoutReminder('excluded');
  if (facts.stoppedAt !== null) return withoutReminder('stopped');
  if (loaded.badAddress) return withoutReminder('no-mail-arrives');
  if (invoice.contactEmail.trim() === '') return withoutReminder('no-address');
  if (facts.isPaying === 1) return withoutReminder('payment');
  if (facts.isFrozen === 1) return withoutReminder('not-payable');
  if (invoice.dueDate === null) return withoutReminder('no-due-date');
  const at = nextReminderAt({ ...plan, nextRunAt: plan.nextRunAt }, invoice.dueDate, facts, now());
  return at === null ? withoutReminder('none-left') : { next_at: isoOf(at), why_none: null };
}

/** Excludes an invoice from reminders, or includes it again. Null if it is not in our database. */
export async function setReminderExclusion(
  deps: Deps,
  caller: Merchant,
  id: string,
  isExcluded: boolean,
): Promise<InvoiceReminders | null> {
  const loaded = await loadMerchantInvoice(deps, caller, id);
  if (!loaded?.invoice) return null;
  const { accountId, userId: by } = caller;
  const { invoiceId } = loaded;
  const event = auditEvent(deps, {
    accountId,
    action: 'reminders.excluded',
    subject: ['invoice', invoiceId],
    after: { excluded: isExcluded },
  });
  await excludeInvoice(deps.db, { accountId, invoiceId, isExcluded, userId: by }, deps.now(), event);
  return viewInvoiceReminders(deps, caller, id);
}
