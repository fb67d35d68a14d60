import type { Ceiling } from '#tests/ceilings';
import { table } from '#tests/money/report';
import type { Usage } from '#tests/support/unit/meter';

const COLUMNS = ['queries', 'rowsRead', 'rowsWritten', 'subrequests'] as const;
type Spent = ReadonlyMap<string, Usage>;
type Ceilings = Readonly<Record<string, Ceiling>>;

/** A row is about a full route or step, or about one variant of a request, named after a space and a question mark. */
const ownerOf = (row: string) => row.replace(/ \?.*$/, '');

/** Errors in the measured cost: over its ceiling, without a row, never measured, or a row without a route or step. */
export function problems(spent: Spent, ceilings: Ceilings, expected: readonly string[]): string[] {
  const found: string[] = [];
  for (const [row, usage] of spent) {
    const ceiling = ceilings[row];
    if (!ceiling) found.push(`${row} has no ceiling`);
    for (const [at, column] of COLUMNS.entries()) {
      const most = ceiling?.[at] ?? Number.POSITIVE_INFINITY;
      if (usage[column] > most) found.push(`${row}: ${usage[column]} ${column}, ${most} are allowed`);
    }
  }
  for (const row of Object.keys(ceilings)) if (!spent.has(row)) found.push(`${row} has a ceiling and was not measured`);
  const measured = new Set([...spent.keys()].map(ownerOf));
  for (const one of expected) if (!measured.has(one)) found.push(`${one} was not measured`);
  for (const one of measured) if (!expected.includes(one)) found.push(`${one} is no route or step`);
  return found;
}

export const sorted = (rows: string[]): string[] => [...rows].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** Measured cost beside the ceiling, row by row. */
export const shown = (spent: Spent, ceilings: Ceilings): string =>
  table(
    ['', 'queries', 'rows read', 'rows written', 'subrequests'],
    sorted([...spent.keys()]).map((row) => [
      row,
      ...COLUMNS.map((column, at) => `${spent.get(row)?.[column]} / ${ceilings[row]?.[at] ?? '-'}`),
    ]),
  );

/** Rounds up to two digits. */
function roundedUp(value: number): number {
  const unit = 10 ** Math.max(0, String(Math.ceil(value)).length - 2);
  return Math.ceil(value / unit) * unit;
}

/** Ceilings above the measured cost: a quarter more queries and subrequests, half as many rows again; 0 stays 0. */
function ceilingOf({ queries, rowsRead, rowsWritten, subrequests }: Usage): Ceiling {
  const quarterMore = (count: number) => Math.ceil(count * 1.25);
  return [
    queries && quarterMore(queries) + 1,
    rowsRead && roundedUp(rowsRead * 1.5 + 10),
    rowsWritten && roundedUp(rowsWritten * 1.5 + 2),
    quarterMore(subrequests),
  ];
}

/** The rows for tests/ceilings.ts with the figures just measured. */
export const proposed = (spent: Spent): string =>
  sorted([...spent.keys()])
    .map((row) => `  '${row}': [${ceilingOf(spent.get(row) as Usage).join(', ')}],`)
    .join('\n');
