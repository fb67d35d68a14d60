import type { AuditEventItem } from '#shared/contracts/staff/audit';
import { formatMoney } from '#shared/money';
import { localMoment } from '#shared/text/local-day';
import type { Subject } from '#worker/data/audit/trail';
import type { AuditEvent } from '#worker/data/schema/audit';
import { type Facts, factsOf } from './facts.ts';

type Format = { timeZone: string; currency: string };

const MONEY = /(?:^c|C)ents$/;
const TIME = /At$/;

/** "linkEndsAt" is shown as "link ends at", "amountCents" and "cents" as "amount". */
const fieldName = (field: string): string =>
  (field.replace(MONEY, '') || 'amount').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A stored value as text: money with its currency sign, a time in the account's time zone. Null if there is none. */
function formatValue(field: string, value: unknown, { timeZone, currency }: Format): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && MONEY.test(field)) return formatMoney(value, currency);
  const at = TIME.test(field) ? (typeof value === 'number' ? value : Date.parse(String(value))) : Number.NaN;
  if (!Number.isNaN(at)) return localMoment(at, timeZone);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * The fields that an action set; the previous state may have other fields, which did not change. If there is no state
 * after the action, it removed the row, so all fields are shown.
 */
const fieldsIn = (before: Facts, after: Facts): string[] => Object.keys(Object.keys(after).length > 0 ? after : before);

/** The changed fields of an event, formatted for people. */
export function changesOf(
  event: Pick<AuditEvent, 'before' | 'after'>,
  timeZone: string,
  subject?: Subject,
): AuditEventItem['changes'] {
  const [before, after] = [factsOf(event.before), factsOf(event.after)];
  const currency = typeof after.currency === 'string' ? after.currency : (subject?.currency ?? 'USD');
  return fieldsIn(before, after).map((field) => ({
    field: fieldName(field),
    before: formatValue(field, before[field], { timeZone, currency }),
    after: formatValue(field, after[field], { timeZone, currency }),
  }));
}
