import type { ListRow } from '#worker/data/lists/cursors';
import type { ReminderFacts } from '#worker/data/reminders/invoice';
import type { Plan } from '#worker/data/reminders/plans';
import type { Deps } from '#worker/deps';
import { payableState } from '#worker/domain/invoices/invoice-balance';
import { nextReminderAt } from './next.ts';

/** As `reminding` of an open invoice's row holds it, where nothing in our books speaks against a reminder. */
type Reminding = Pick<Plan, 'steps' | 'doneDay' | 'waitUntil' | 'timeZone'> & { nextRunAt: number } & Pick<
    ReminderFacts,
    'planned' | 'mailedAt'
  >;

/** When the invoice of a row is reminded next (UTC ms), by the same rules as its own page says; null: it is not. */
export const nextReminderOf =
  ({ now, settings }: Deps) =>
  ({ reminding, due_date, shown_status, currency, balance_cents }: ListRow): number | null => {
    if (typeof reminding !== 'string') return null;
    const invoice = {
      localStatus: 'none' as const,
      status: String(shown_status),
      currency: String(currency),
      balanceCents: typeof balance_cents === 'number' ? balance_cents : null,
    };
    if (payableState(invoice, settings.MAX_AMOUNT_CENTS) !== 'payable') return null;
    const facts = JSON.parse(reminding) as Reminding;
    return nextReminderAt(facts, String(due_date), facts, now());
  };
