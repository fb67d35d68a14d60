import type { Edit } from '#tests/money/cluster/bundle';

const COMPOSE = 'worker/domain/mail/reminder-mail.ts';
const RULES = 'shared/contracts/payments/reminders.ts';
const HOURS = 'shared/text/working-hours.ts';
const QUEUE = 'worker/data/reminders/queue.ts';
const OFFERS = 'worker/data/offers.ts';
const CHOICE = 'worker/data/reminders/choose-invoices.ts';
const PLAN = 'worker/domain/reminders/send.ts';

/** A rule of reminders taken away, with its second layer where it has one, and the judge's rule that is then heard. */
export type Mutant = { name: string; edits: Edit[]; heard: string };

export const mutants: Mutant[] = [
  {
    name: 'once for ever for an invoice and a step',
    edits: [
      {
        file: CHOICE,
        from: "invoices.collection || '-' || ?5`;",
        to: "invoices.collection || '-' || ?5 || '-' || ?7`;",
      },
    ],
    heard: 'R1',
  },
  {
    name: 'no hour before 8:00 or after 21:00',
    edits: [{ file: HOURS, from: ' && hour >= FIRST_HOUR && hour < END_HOUR', to: '' }],
    heard: 'R2',
  },
  {
    name: 'working days alone',
    edits: [{ file: HOURS, from: 'weekday > 0 && weekday < 6', to: 'weekday > 0' }],
    heard: 'R2',
  },
  {
    name: 'nine by the clock of the place, after a change of clocks too',
    edits: [
      {
        file: HOURS,
        from: 'const at = startOfDay(day, timeZone) + hour * HOUR_MS;',
        to: 'return Date.parse(day) + (hour + 5) * HOUR_MS;\n  const at = startOfDay(day, timeZone) + hour * HOUR_MS;',
      },
    ],
    heard: 'R8',
  },
  {
    name: 'a week between two',
    edits: [{ file: RULES, from: 'APART_DAYS = 7;', to: 'APART_DAYS = 6;' }],
    heard: 'R3',
  },
  {
    name: 'the week begins with the day on which it went out',
    edits: [{ file: COMPOSE, from: 'await movedTo(db, mail.id, today);', to: '{}' }],
    heard: 'R3',
  },
  {
    name: 'the CRM is asked whether it is paid',
    edits: [{ file: COMPOSE, from: "if (state !== 'payable') return drop(state);", to: '' }],
    heard: 'R4',
  },
  {
    name: 'none while a payment is made',
    edits: [
      {
        file: OFFERS,
        from: '  `EXISTS (SELECT 1 FROM payment_attempts a JOIN',
        to: '  `0 AND EXISTS (SELECT 1 FROM payment_attempts a JOIN',
      },
    ],
    heard: 'R4',
  },
  {
    name: 'none once its payer stopped them',
    edits: [{ file: QUEUE, from: 'address = ?6 AND stopped_at IS NOT NULL)', to: 'address = ?6 AND stopped_at < 0)' }],
    heard: 'R4',
  },
  {
    name: 'none where no mail arrives',
    edits: [
      {
        file: QUEUE,
        from: 'FROM mail_addresses WHERE account_id = ?1',
        to: 'FROM mail_addresses WHERE account_id = -?1',
      },
    ],
    heard: 'R4',
  },
  {
    name: 'none to an address that the CRM has no more',
    edits: [{ file: COMPOSE, from: "return drop('address-changed');", to: '{}' }],
    heard: 'R4',
  },
  {
    name: 'none of an invoice that staff left out',
    edits: [
      // The planner leaves it out, and the sender what was planned before.
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
    heard: 'R4',
  },
  {
    name: 'none within a day of another mail',
    edits: [{ file: COMPOSE, from: 'at - DAY_MS, latelyOf', to: 'at, latelyOf' }],
    heard: 'R4',
  },
  {
    name: 'none that is more than two days late',
    edits: [{ file: COMPOSE, from: 'LATEST_MS = 48 * HOUR_MS', to: 'LATEST_MS = 480 * HOUR_MS' }],
    heard: 'R5',
  },
  {
    name: 'it waits while the CRM is silent',
    edits: [
      {
        file: COMPOSE,
        from: "if (fresh === 'crm-unavailable') return { later: at + HOUR_MS };",
        to: "if (fresh === 'crm-unavailable') return drop('gone');",
      },
    ],
    heard: 'R6',
  },
  {
    name: 'one that is too late keeps no other back',
    edits: [{ file: PLAN, from: 'tooLate: at - LATEST_MS,', to: 'tooLate: 0,' }],
    heard: 'R6',
  },
  {
    name: 'the cap of a day',
    edits: [
      {
        file: 'worker/domain/reminders/send.ts',
        from: 'settings.MAILS_PER_ACCOUNT_DAY - mailsOfDay',
        to: 'AT_ONCE',
      },
    ],
    heard: 'R7',
  },
];
