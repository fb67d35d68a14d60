import { table } from '#tests/money/report';
import { billOf, scarcest } from './bill.ts';
import type { Result } from './result.ts';

/** Rows that the platform counts for each that is written to a table: measured by the clinics on real alarms. */
export const ROWS_WITH_INDEXES = 1.1;

type Figure = { what: string; measured: string; target: string; isMet: boolean };

const dollars = (value: number) => (value < 10 ? `$${value.toFixed(2)}` : `$${Math.round(value)}`);
/** In a file, for ever is null. */
const minutes = (value: number) => (Number.isFinite(value) ? `${value.toFixed(1)} min` : 'for ever');

/** The day's figures against their targets. */
export function figuresOf({ verdict, size, dayMs, counts, cpu, objects, seconds, staff }: Result): Figure[] {
  const { money, mails, freshness, nights } = verdict;
  const { idle, looked, others, wellAtTheEdit } = freshness;
  const days = dayMs / 86_400_000;
  const each = (count: number) => count / objects.length / days;
  const zero = (what: string, count: number, of = '') => ({
    what,
    measured: `${count}${of}`,
    target: '0',
    isMet: count === 0,
  });
  const shown = (what: string, measured: string) => ({ what, measured, target: 'printed', isMet: true });
  const within = (what: string, { count, p50, p99, most }: typeof idle, target: number, of = p99) => ({
    what: `${what} (${count} edits)`,
    measured: `p50 ${minutes(p50)}, p99 ${minutes(p99)}, most ${minutes(most)}`,
    target: `<= ${target} min`,
    isMet: Number.isFinite(of) && of <= target,
  });
  return [
    zero('extra charges', money.extra, ` of ${money.charges}`),
    zero('lost charges', money.lost),
    zero('bills that nobody could pay', money.notPaid, ` of ${size.payments}`),
    zero('payments and refunds without an end', money.open),
    zero('mails twice', mails.twice, ` of ${mails.sent}`),
    zero('mails missing', mails.missing),
    shown('refunds and voids, batches closed by staff', `${staff.reversed}, ${staff.closed}`),
    within('freshness, idle', idle, 12),
    within('freshness, looked at', looked, 2),
    within('edits that met trouble, after its end', others, 15, others.most),
    within('all edits made while CRM and grant were well', wellAtTheEdit, 12),
    zero(
      'clinics not reconciled before 6 a.m.',
      nights.late,
      ` of ${nights.due} (latest ${minutes(nights.latestMinutes)} after 2 a.m.)`,
    ),
    shown(
      'turns of a clinic’s clock a day, ms each',
      `${each(counts.alarms).toFixed(0)}, ${(counts.turnMs / counts.alarms).toFixed(0)} ms`,
    ),
    shown('rows written a clinic and day, as tables have them', each(counts.rowsWritten).toFixed(0)),
    shown('rows written in the directory, a clinic and day', each(counts.d1Rows).toFixed(0)),
    shown('CPU a clinic and day, all of it in one Node', `${(each(cpu.dayMs - cpu.vendorsMs) / 1000).toFixed(2)} s`),
    { what: 'real time', measured: minutes(seconds / 60), target: '<= 120 min', isMet: seconds <= 7200 },
  ];
}

export function reportOf(result: Result): string {
  const figures = figuresOf(result).map(({ what, measured, target, isMet }) => [
    what,
    measured,
    target,
    isMet ? 'met' : 'MISSED',
  ]);
  const { lines, total } = billOf(result, ROWS_WITH_INDEXES);
  const bill = [...Object.entries(lines), ['a month', total] as const].map(([what, sum]) => [what, dollars(sum)]);
  const scarce = scarcest(result).map(({ what, share }) => [what, `${(share * 100).toFixed(2)}%`]);
  return [
    table(['figure', 'measured', 'target', ''], figures),
    table(['the bill', 'dollars a month'], bill),
    table(['what saturates first', 'used'], scarce),
    `alerts: ${result.alerts.map(([event, times]) => `${event} ${times}`).join(', ') || 'none'}`,
  ].join('\n\n');
}
