import { addDays, localDay } from '#shared/text/local-day';
import { type Random, randomFrom } from '#tests/support/seeded-random';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { ACCOUNT, type Clinic, openClinic, providerIdOf, type SentMail, type Span, STAFF, ZONE } from './clinic.ts';
import type * as product from './product.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string) => Date.parse(text);

/** A Friday; the clocks change on March 8. */
export const START = at('2026-02-20T15:00:00Z');
export const DAYS = 30;
/** Two neighboring pairs are exactly the minimum of seven days apart. */
export const STEPS = [-3, 0, 7, 14];

export const DOWN: Span[] = [
  [at('2026-02-25T10:00:00Z'), at('2026-02-26T18:00:00Z')],
  [at('2026-03-11T05:00:00Z'), at('2026-03-14T22:00:00Z')],
];
/** From before 9 a.m. to 10 p.m. local time. */
export const SILENT: Span[] = [[at('2026-03-03T12:00:00Z'), at('2026-03-04T03:00:00Z')]];

/**
 * Events at an invoice during the month, other than reminders. Only the CRM knows of `address-changed` and
 * `paid-in-crm`; `bounced` and `stopped` follow a reminder and apply to all invoices of the payer.
 */
const FATES = [
  ...(['paid-in-crm', 'paid-here', 'paying', 'bounced', 'stopped'] as const),
  ...(['excluded', 'address-changed', 'mailed-by-hand', 'due-later'] as const),
];
export type Fate = (typeof FATES)[number] | 'none';
const SHARE_WITH_FATE = 0.5;

/** `fateAt`: time of the fate (UTC ms); null: not yet. `dueDays`: every due date so far. */
export type Bill = {
  id: string;
  payer: string;
  fate: Fate;
  fateAt: number | null;
  dueDays: string[];
};

/** `full`: start (UTC ms) of each day on which the limit for mails was reached. */
export type Month = { bills: Bill[]; mails: SentMail[]; cap: number; full: number[]; states: Record<string, number> };

/** Runs thirty days of a clinic with reminders and `count` open invoices. */
export async function runMonth(count: number, seed: number, mutant?: typeof product): Promise<Month> {
  const random = randomFrom(seed);
  const cap = Math.ceil(0.22 * count);
  const faults = { down: DOWN, silent: SILENT, isAnswerLost: () => random.chance(0.02) };
  const clinic = await openClinic(START, cap, faults, mutant);
  const bills: Bill[] = [];
  for (let n = 0; n < count; n++) bills.push(await makeBill(clinic, n, random));
  await clinic.product.switchRemindersOn(clinic.deps, STAFF, STEPS);

  const openFates = new Set(bills.filter(({ fate }) => fate !== 'none'));
  const times = new Map([...openFates].map((bill) => [bill, timeOf(bill, random)]));
  for (let now = START; now < START + DAYS * DAY; now += HOUR) {
    await clinic.passUntil(now);
    const remindersByPayer = Map.groupBy(clinic.sentMails(), ({ to }) => to);
    for (const bill of openFates) {
      const lastReminder = remindersByPayer.get(bill.payer)?.at(-1);
      if (now < (times.get(bill) ?? 0) || !(await applyFate(clinic, bill, lastReminder))) continue;
      bill.fateAt = now;
      openFates.delete(bill);
    }
  }
  const states = clinic.read<{ word: string; n: number }>(
    `SELECT trim(state || ' ' || why) AS word, count(*) AS n FROM reminders GROUP BY word ORDER BY n DESC`,
  );
  const full = clinic.read<{ at: number }>('SELECT at FROM mail_days WHERE mails >= ?1', cap).map((day) => day.at);
  const stateCounts = Object.fromEntries(states.map(({ word, n }) => [word, n]));
  return { bills, mails: clinic.sentMails(), cap, full, states: stateCounts };
}

/** Time of a fate (UTC ms): random, but a mail sent by staff comes shortly before a planned reminder. */
function timeOf({ fate, dueDays: [due = ''] }: Bill, random: Random): number {
  if (fate === 'mailed-by-hand') return at(addDays(due, random.pick(STEPS))) + 12 * HOUR;
  return START + random.below(DAYS * DAY);
}

async function makeBill({ crmInvoices, deps, product }: Clinic, n: number, random: Random): Promise<Bill> {
  // One payer in nine has two invoices.
  const payer = `payer${n % 10 === 9 ? n - 1 : n}@example.test`;
  const dueDate = addDays(localDay(START, ZONE), random.below(45) - 12);
  const invoice: CrmInvoice = {
    id: String(5_000_000 + n),
    number: `INV-${n}`,
    status: 'open',
    currency: 'USD',
    balanceCents: 18_400,
    billedCents: 18_400,
    dueDate,
    invoiceDate: '2026-02-01',
    paidAt: null,
    createdAt: START - DAY,
    modifiedAt: START - HOUR,
    contactId: `c${n}`,
    companyId: '',
    contact: { firstName: 'Marta', lastName: 'Núñez', email: payer },
    contactAddress: { address: '', city: '', state: '', zip: '' },
    contactLanguage: '',
    company: { name: '', address: '', city: '', state: '', zip: '' },
  };
  crmInvoices.set(invoice.id, invoice);
  await product.saveInvoice(deps.db, ACCOUNT, invoice, START);
  const fate = random.chance(SHARE_WITH_FATE) ? random.pick(FATES) : 'none';
  return { id: invoice.id, payer, fate, fateAt: null, dueDays: [dueDate] };
}

/** Applies the fate of a bill. Returns false if it must wait for a reminder. `last`: the last reminder to the payer. */
async function applyFate(clinic: Clinic, bill: Bill, last: SentMail | undefined): Promise<boolean> {
  const { deps, crmInvoices, product, d1, now } = clinic;
  const { db } = deps;
  const change = (part: Partial<CrmInvoice>) => {
    const changed = { ...(crmInvoices.get(bill.id) as CrmInvoice), ...part, modifiedAt: now() };
    crmInvoices.set(bill.id, changed);
    return changed;
  };
  switch (bill.fate) {
    case 'paid-in-crm':
      change({ status: 'paid', balanceCents: 0 });
      return true;
    case 'paid-here':
    case 'paying':
      await pay(clinic, bill);
      return true;
    case 'excluded':
      await product.setReminderExclusion(deps, STAFF, bill.id, true);
      return true;
    case 'address-changed':
      change({ contact: { firstName: 'Marta', lastName: 'Núñez', email: `new-${bill.payer}` } });
      return true;
    case 'mailed-by-hand': {
      const id = `link-${bill.id}`;
      await product.queueMail(
        db,
        { id, kind: 'pay-link', recipient: bill.payer, accountId: ACCOUNT, invoiceId: bill.id },
        now(),
      );
      await d1.prepare("UPDATE outbox SET state = 'sent' WHERE id = ?1").bind(id).run();
      return true;
    }
    case 'due-later': {
      // As the CRM sync would store it.
      const [before = ''] = bill.dueDays;
      const dueDate = addDays(before, 10);
      await product.saveInvoice(db, ACCOUNT, change({ dueDate }), now());
      bill.dueDays.push(dueDate);
      return true;
    }
    case 'stopped':
      if (last) await product.stopReminders(deps, last.stop);
      return last !== undefined;
    case 'bounced': {
      if (!last) return false;
      const bounce = { type: 'email.bounced', delivery: 'bounced' as const, isFinal: true, at: now() };
      const ids = { id: `msg-${last.key}`, mailId: last.key, providerId: providerIdOf(last.key) };
      await product.recordMailEvent(db, 'clinic', { ...bounce, ...ids }, now());
      return true;
    }
    case 'none':
      return false;
  }
}

/** Writes the rows of a claim, and for a completed payment also those of its settlement. */
async function pay({ d1, now }: Clinic, { id, fate }: Bill): Promise<void> {
  const isSettled = fate === 'paid-here';
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO payment_attempts (id, account_id, invoice_id, collection, terminal_id, channel, method, amount_cents,
          currency, invoice_number, dedupe_key, receipt_id, state, hold_until, created_at)
          VALUES (?1, ?2, ?3, 1, 'T', 'link', 'card', 18400, 'USD', 'INV', 'k', ?1, ?4, 0, ?5)`,
      )
      .bind(`a-${id}`, ACCOUNT, id, isSettled ? 'approved' : 'unknown', now()),
    d1
      .prepare("UPDATE invoices SET local_status = 'paid' WHERE account_id = ?1 AND invoice_id = ?2 AND ?3")
      .bind(ACCOUNT, id, Number(isSettled)),
  ]);
}
