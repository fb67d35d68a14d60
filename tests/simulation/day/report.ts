import { table } from '#tests/money/report';
import { billOf, resourceShares } from './bill.ts';
import type { Result } from './result.ts';

/** Rows that the platform bills per row written to a table, measured by the clinics on real alarms. */
export const ROWS_WITH_INDEXES = 1.1;

type Figure = { name: string; measured: string; target: string; isMet: boolean };

const dollars = (value: number) => (value < 10 ? `$${value.toFixed(2)}` : `$${Math.round(value)}`);
/** Infinity is null in a file. */
const minutes = (value: number) => (Number.isFinite(value) ? `${value.toFixed(1)} min` : 'never');

/** The day's figures against their targets. */
export function figuresOf({ verdict, size, dayMs, counts, cpu, objects, seconds, staff }: Result): Figure[] {
  const { money, mails, freshness, nights } = verdict;
  const { idle, viewed, afterTrouble, healthyAtEdit } = freshness;
  const days = dayMs / 86_400_000;
  const perClinicDay = (count: number) => count / objects.length / days;
  const zero = (name: string, count: number, suffix = '') => ({
    name,
    measured: `${count}${suffix}`,
    target: '0',
    isMet: count === 0,
  });
  const printed = (name: string, measured: string) => ({ name, measured, target: 'printed', isMet: true });
  const within = (name: string, { count, p50, p99, max }: typeof idle, target: number, measure = p99) => ({
    name: `${name} (${count} edits)`,
    measured: `p50 ${minutes(p50)}, p99 ${minutes(p99)}, max ${minutes(max)}`,
    target: `<= ${target} min`,
    isMet: Number.isFinite(measure) && measure <= target,
  });
  return [
    zero('extra charges', money.extra, ` of ${money.charges}`),
    zero('lost charges', money.lost),
    zero('unpaid bills', money.notPaid, ` of ${size.payments}`),
    zero('undecided payments and refunds', money.open),
    zero('mails sent twice', mails.twice, ` of ${mails.sent}`),
    zero('mails missing', mails.missing),
    printed('refunds and voids, batches closed by staff', `${staff.reversed}, ${staff.closed}`),
    within('freshness, idle', idle, 12),
    within('freshness, viewed', viewed, 2),
    within('edits during trouble, after its end', afterTrouble, 15, afterTrouble.max),
    within('all edits made while CRM and grant were healthy', healthyAtEdit, 12),
    zero(
      'clinics not reconciled before 6 a.m.',
      nights.late,
      ` of ${nights.due} (latest ${minutes(nights.latestMinutes)} after 2 a.m.)`,
    ),
    printed(
      'alarm turns per clinic and day, ms each',
      `${perClinicDay(counts.alarms).toFixed(0)}, ${(counts.turnMs / counts.alarms).toFixed(0)} ms`,
    ),
    printed('table rows written per clinic and day', perClinicDay(counts.rowsWritten).toFixed(0)),
    printed('directory rows written per clinic and day', perClinicDay(counts.d1Rows).toFixed(0)),
    printed(
      'CPU per clinic and day, all in one Node process',
      `${(perClinicDay(cpu.dayMs - cpu.vendorsMs) / 1000).toFixed(2)} s`,
    ),
    { name: 'real time', measured: minutes(seconds / 60), target: '<= 120 min', isMet: seconds <= 7200 },
  ];
}

export function reportOf(result: Result): string {
  const figures = figuresOf(result).map(({ name, measured, target, isMet }) => [
    name,
    measured,
    target,
    isMet ? 'met' : 'MISSED',
  ]);
  const { lines, total } = billOf(result, ROWS_WITH_INDEXES);
  const bill = [...Object.entries(lines), ['a month', total] as const].map(([item, sum]) => [item, dollars(sum)]);
  const shares = resourceShares(result).map(({ resource, share }) => [resource, `${(share * 100).toFixed(2)}%`]);
  return [
    table(['figure', 'measured', 'target', ''], figures),
    table(['the bill', 'dollars a month'], bill),
    table(['what saturates first', 'used'], shares),
    `alerts: ${result.alerts.map(([event, times]) => `${event} ${times}`).join(', ') || 'none'}`,
  ].join('\n\n');
}
