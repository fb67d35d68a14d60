import type { Edit } from '#tests/money/cluster/bundle';

const COMPOSE = 'worker/domain/mail/reminder-mail.ts';
const RULES = 'shared/contracts/payments/reminders.ts';
const HOURS = 'shared/text/working-hours.ts';
const QUEUE = 'worker/data/reminders/queue.ts';
const OFFERS = 'worker/data/payable-conditions.ts';
const CHOICE = 'worker/data/reminders/choose-invoices.ts';
const PLAN = 'worker/domain/reminders/send.ts';

/** A removed rule of reminders, with any second layer. `brokenRule`: the judge's rule that must break. */
export type Mutant = { name: string; edits: Edit[]; brokenRule: string };

export const mutants: Mutant[] = [
  {
    name: 'at most one reminder per invoice and step',
    edits: [
      {
        file: CHOICE,
        from: "invoices.collection || '-' || ?5`;",
        to: "invoices.collection || '-' || ?5 || '-' || ?7`;",
      },
    ],
    brokenRule: 'R1',
  },
  {
    name: 'no reminder before 8:00 or after 21:00',
    edits: [{ file: HOURS, from: ' && hour >= FIRST_HOUR && hour < END_HOUR', to: '' }],
    brokenRule: 'R2',
  },
  {
    name: 'reminders on working days only',
    edits: [{ file: HOURS, from: 'weekday > 0 && weekday < 6', to: 'weekday > 0' }],
    brokenRule: 'R2',
  },
  {
    name: '9:00 local time, also after a clock change',
    edits: [
      {
        file: HOURS,
        from: 'const at = startOfDay(day, timeZone) + hour * HOUR_MS;',
        to: 'return Date.parse(day) + (hour + 5) * HOUR_MS;\n  const at = startOfDay(day, timeZone) + hour * HOUR_MS;',
      },
    ],
    brokenRule: 'R8',
  },
  {
    name: 'a week between two reminders',
    edits: [{ file: RULES, from: 'MIN_GAP_DAYS = 7;', to: 'MIN_GAP_DAYS = 6;' }],
    brokenRule: 'R3',
  },
  {
    name: 'the week counts from the day of sending',
    edits: [{ file: COMPOSE, from: 'await changeReminderDay(db, mail.id, today);', to: '{}' }],
    brokenRule: 'R3',
  },
  {
    name: 'the CRM is asked whether the invoice is paid',
    edits: [{ file: COMPOSE, from: "if (state !== 'payable') return drop(state);", to: '' }],
    brokenRule: 'R4',
  },
  {
    name: 'no reminder during a payment',
    edits: [
      {
        file: OFFERS,
        from: '  `EXISTS (SELECT 1 FROM payment_attempts a JOIN',
        to: '  `0 AND EXISTS (SELECT 1 FROM payment_attempts a JOIN',
      },
    ],
    brokenRule: 'R4',
  },
  {
    name: 'no reminder after the payer stopped them',
    edits: [{ file: QUEUE, from: 'address = ?6 AND stopped_at IS NOT NULL)', to: 'address = ?6 AND stopped_at < 0)' }],
    brokenRule: 'R4',
  },
  {
    name: 'no reminder to an address that bounces',
    edits: [
      {
        file: QUEUE,
        from: 'FROM mail_addresses WHERE account_id = ?1',
        to: 'FROM mail_addresses WHERE account_id = -?1',
      },
    ],
    brokenRule: 'R4',
  },
  {
    name: 'no reminder to an address that the CRM has replaced',
    edits: [{ file: COMPOSE, from: "return drop('address-changed');", to: '{}' }],
    brokenRule: 'R4',
  },
  {
    name: 'no reminder for an invoice that staff excluded',
    edits: [
      // The planner excludes the invoice, and the sender drops a reminder planned earlier.
      {
        file: CHOICE,
        from: 'x.account_id = invoices.account_id AND x.invoice_id = invoices.invoice_id',
        to: 'x.account_id = -invoices.account_id',
      },
      {
        file: QUEUE,
        from: 'FROM reminder_exclusions WHERE account_id = ?1',
        to: 'FROM reminder_exclusions WHERE account_id = -?1',
      },
    ],
    brokenRule: 'R4',
  },
  {
    name: 'no reminder within a day of another mail',
    edits: [{ file: COMPOSE, from: 'at - DAY_MS, latestPreviousDay', to: 'at, latestPreviousDay' }],
    brokenRule: 'R4',
  },
  {
    name: 'no reminder more than two days late',
    edits: [{ file: COMPOSE, from: 'MAX_DELAY_MS = 48 * HOUR_MS', to: 'MAX_DELAY_MS = 480 * HOUR_MS' }],
    brokenRule: 'R5',
  },
  {
    name: 'a reminder waits while the CRM is silent',
    edits: [
      {
        file: COMPOSE,
        from: "if (crmInvoice === 'crm-unavailable') return { later: at + HOUR_MS };",
        to: "if (crmInvoice === 'crm-unavailable') return drop('gone');",
      },
    ],
    brokenRule: 'R6',
  },
  {
    name: 'a reminder that is too late does not block another',
    edits: [{ file: PLAN, from: 'skipBefore: at - MAX_DELAY_MS,', to: 'skipBefore: 0,' }],
    brokenRule: 'R6',
  },
  {
    name: 'the daily limit for mails',
    edits: [
      {
        file: 'worker/domain/reminders/send.ts',
        from: 'settings.MAILS_PER_ACCOUNT_DAY - mailsOfDay',
        to: 'AT_ONCE',
      },
    ],
    brokenRule: 'R7',
  },
];
