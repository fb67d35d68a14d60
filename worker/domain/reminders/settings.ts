import {
  DEFAULT_STEPS,
  type Forecast,
  type Reminders,
  type ReminderTiming,
  timingOf,
} from '#shared/contracts/payments/reminders';
import { addDays, localDay } from '#shared/text/local-day';
import { lastSendingDay, nextSendingTime } from '#shared/text/working-hours';
import { findAccount } from '#worker/data/merchants/accounts';
import { findSampleInvoice, readPortions } from '#worker/data/reminders/choose-invoices';
import { queueReminderTest, type ReminderPlan, readPlan, savePlan } from '#worker/data/reminders/plans';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { loadMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import { payerLanguage } from '#worker/domain/mail/payer-language';
import { latestPreviousDay, reminderWords, sendingDay } from '#worker/domain/mail/reminder-mail';
import { sendMail } from '#worker/domain/mail/send';
import type { Merchant } from '#worker/domain/merchants/session';
import { portionsOf } from './send.ts';

type Caller = Pick<Merchant, 'accountId' | 'userId'>;

const zoneOf = async ({ db }: Deps, accountId: number) => (await findAccount(db, accountId))?.timeZone ?? 'UTC';

/** An account's reminder plan, with samples of its emails. */
export async function viewReminders(deps: Deps, caller: Merchant): Promise<Reminders> {
  const plan = await readPlan(deps.db, caller.accountId);
  return { is_on: plan?.nextRunAt != null, steps: plan?.steps ?? [], sample: await presentSample(deps, caller, plan) };
}

/** A real invoice for sample reminders, preferably one that can still get each of them. Null if none is open. */
async function sampleInvoice(deps: Deps, caller: Merchant, plan: ReminderPlan | null) {
  const { db, now, settings } = deps;
  const today = localDay(now(), await zoneOf(deps, caller.accountId));
  const dueFrom = addDays(today, -stepOf(plan, 'before'));
  const id = await findSampleInvoice(db, caller.accountId, dueFrom, settings.MAX_AMOUNT_CENTS);
  return id === null ? null : loadMerchantInvoice(deps, caller, id);
}

/** The first step of the plan before, on or after the due date, or else the default one. */
const stepOf = (plan: ReminderPlan | null, when: ReminderTiming): number =>
  plan?.steps.toSorted((a, b) => a - b).find((step) => timingOf(step) === when) ?? DEFAULT_STEPS[when];

async function presentSample(deps: Deps, caller: Merchant, plan: ReminderPlan | null): Promise<Reminders['sample']> {
  const loaded = await sampleInvoice(deps, caller, plan);
  if (!loaded?.invoice || !loaded.account) return null;
  const { account, invoice } = loaded;
  const reminderContext = { ...loaded, account, invoice, language: await payerLanguage(deps.db, loaded) };
  const today = localDay(deps.now(), account.timeZone);
  const preview = (when: ReminderTiming) => {
    const step = stepOf(plan, when);
    const day = sendingDay(invoice.dueDate ?? today, step);
    const { subject, number, greeting, what } = reminderWords(reminderContext, day);
    return { step, day, to: invoice.contactEmail, number, subject, greeting, what };
  };
  const { amount, reach, stop } = reminderWords(reminderContext, today);
  if (amount === null) return null;
  return { amount, reach, stop, mails: { before: preview('before'), on: preview('on'), after: preview('after') } };
}

/** Switches reminders on with these steps, or changes the steps. */
export async function switchRemindersOn(deps: Deps, caller: Caller, steps: number[]): Promise<void> {
  const at = deps.now();
  const before = await readPlan(deps.db, caller.accountId);
  const timeZone = await zoneOf(deps, caller.accountId);
  const doneDay = before?.nextRunAt != null ? before.doneDay : lastSendingDay(at, timeZone);
  await saveSettings(deps, caller, before, {
    steps,
    doneDay,
    nextRunAt: before?.nextRunAt ?? nextSendingTime(at, timeZone),
  });
}

/** Switches reminders off: queued ones are not sent, and the steps are kept for the next time. */
async function switchRemindersOff(deps: Deps, caller: Caller): Promise<void> {
  const before = await readPlan(deps.db, caller.accountId);
  if (before) await saveSettings(deps, caller, before, { ...before, nextRunAt: null });
}

/** Saves the steps; an empty list switches reminders off. */
export async function saveReminders(deps: Deps, caller: Merchant, steps: number[]): Promise<Reminders> {
  await (steps.length > 0 ? switchRemindersOn(deps, caller, steps) : switchRemindersOff(deps, caller));
  return viewReminders(deps, caller);
}

async function saveSettings(
  deps: Deps,
  { accountId, userId }: Caller,
  previous: ReminderPlan | null,
  plan: Pick<ReminderPlan, 'steps' | 'doneDay' | 'nextRunAt'>,
): Promise<void> {
  const eventFacts = ({ steps, nextRunAt }: Pick<ReminderPlan, 'steps' | 'nextRunAt'>) => ({
    days: nextRunAt === null ? '' : steps.join(', '),
  });
  const event = auditEvent(deps, {
    accountId,
    action: 'reminders.changed',
    subject: ['account', String(accountId)],
    ...(previous && { before: eventFacts(previous) }),
    after: eventFacts(plan),
  });
  await savePlan(deps.db, { accountId, changedBy: userId, ...plan }, deps.now(), event);
  deps.log.info('reminders-changed', { accountId, userId });
}

/** Maximum number of invoices named in a forecast. */
const MAX_NAMED = 20;

/** The invoices for which these steps would send a reminder on the next working day. */
export async function forecastReminders(deps: Deps, { accountId }: Merchant, steps: number[]): Promise<Forecast> {
  const at = deps.now();
  const plan = await readPlan(deps.db, accountId);
  const timeZone = await zoneOf(deps, accountId);
  const runAt = plan?.nextRunAt ?? nextSendingTime(at, timeZone);
  const doneDay = plan?.nextRunAt != null ? plan.doneDay : lastSendingDay(at, timeZone);
  const day = localDay(runAt, timeZone);
  const portions = portionsOf(steps, doneDay, day, runAt, timeZone).filter(({ isLate }) => !isLate);
  const results =
    portions.length > 0 ? await readPortions(deps.db, accountId, portions, latestPreviousDay(day), MAX_NAMED) : [];
  const countOf = (when: ReminderTiming) =>
    results.reduce((sum, { n }, index) => sum + (timingOf(portions[index]?.step ?? 0) === when ? n : 0), 0);
  const namedInvoices = results.flatMap(({ first }, index) =>
    first.map(({ invoiceId, number, firstName, lastName }) => ({
      id: invoiceId,
      number,
      customer: `${firstName} ${lastName}`.trim(),
      step: portions[index]?.step ?? 0,
    })),
  );
  return {
    day,
    before: countOf('before'),
    on: countOf('on'),
    after: countOf('after'),
    first: namedInvoices.slice(0, MAX_NAMED),
  };
}

export type TestOutcome =
  | { kind: 'sent' | 'queued'; to: string }
  | { kind: 'no-invoice' | 'no-own-address' | 'refused' | 'too-many' };

/** Mails the caller a reminder as a payer would get it, for the sample invoice; its links do not work. */
export async function sendReminderTest(deps: Deps, caller: Merchant, when: ReminderTiming): Promise<TestOutcome> {
  const { db, now, settings } = deps;
  const plan = await readPlan(db, caller.accountId);
  const loaded = await sampleInvoice(deps, caller, plan);
  if (!loaded) return { kind: 'no-invoice' };
  const { accountId } = caller;
  const event = auditEvent(deps, {
    accountId,
    action: 'mail.asked-for',
    subject: ['invoice', loaded.invoiceId],
    after: { kind: 'reminder-test' },
  });
  const step = stepOf(plan, when);
  const mail = { id: deps.newId(), accountId, invoiceId: loaded.invoiceId, step };
  const queueResult = await queueReminderTest(db, caller, mail, { at: now(), pauseMs: settings.MAIL_PAUSE_MS }, event);
  if (queueResult.kind !== 'owed') return queueResult;
  const outcome = await sendMail(deps, mail.id);
  if (outcome === 'sent' || outcome === 'queued') return { kind: outcome, to: queueResult.to };
  return { kind: 'refused' };
}
