import type { OpenAlert } from '#worker/data/alerts/alerts';
import { ruleOf } from './register.ts';

/** Accounts that a message names; the others are counted. */
const NAMED = 20;

const when = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function clinics({ accounts, affected }: OpenAlert): string[] {
  const some = affected.filter(({ account }) => account !== 0).slice(0, NAMED);
  if (some.length === 0) return [];
  const more = accounts > some.length ? ` and ${accounts - some.length} more` : '';
  return [
    `${accounts === 1 ? 'clinic' : `${accounts} clinics:`} ${some.map(({ account }) => account).join(', ')}${more}`,
  ];
}

/** An alert in one line, for somebody who knows nothing else. */
export function lineOf(alert: OpenAlert): string {
  const { event, subject, firstAt, n } = alert;
  const facts = [
    ...(subject ? [subject] : []),
    ...clinics(alert),
    `since ${when(firstAt)}`,
    ...(n > 1 ? [`${n} times`] : []),
  ];
  return `${ruleOf(event).says} (${facts.join('; ')})`;
}
