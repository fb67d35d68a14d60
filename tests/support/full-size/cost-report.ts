import type { Ceiling } from '#tests/ceilings';
import { table } from '#tests/money/report';
import type { Usage } from '#tests/support/unit/meter';

const COLUMNS = ['queries', 'rowsRead', 'rowsWritten', 'subrequests'] as const;
type Costs = ReadonlyMap<string, Usage>;
type Ceilings = Readonly<Record<string, Ceiling>>;

/** The route or step of a row. A row may be about one variant of a request, named after a space and a question mark. */
const ownerOf = (row: string) => row.replace(/ \?.*$/, '');

/** Errors in the measured costs: above the ceiling, no ceiling, not measured, or no such route or step. */
export function findCostErrors(costs: Costs, ceilings: Ceilings, expected: readonly string[]): string[] {
  const errors: string[] = [];
  for (const [row, usage] of costs) {
    const ceiling = ceilings[row];
    if (!ceiling) errors.push(`${row} has no ceiling`);
    for (const [at, column] of COLUMNS.entries()) {
      const max = ceiling?.[at] ?? Number.POSITIVE_INFINITY;
      if (usage[column] > max) errors.push(`${row}: ${usage[column]} ${column}, ${max} are allowed`);
    }
  }
  for (const row of Object.keys(ceilings))
    if (!costs.has(row)) errors.push(`${row} has a ceiling and was not measured`);
  const measured = new Set([...costs.keys()].map(ownerOf));
  for (const name of expected) if (!measured.has(name)) errors.push(`${name} was not measured`);
  for (const name of measured) if (!expected.includes(name)) errors.push(`${name} is no route or step`);
  return errors;
}

export const sortRows = (rows: string[]): string[] => [...rows].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** A table of measured costs and ceilings. */
export const costTable = (costs: Costs, ceilings: Ceilings): string =>
  table(
    ['', 'queries', 'rows read', 'rows written', 'subrequests'],
    sortRows([...costs.keys()]).map((row) => [
      row,
      ...COLUMNS.map((column, at) => `${costs.get(row)?.[column]} / ${ceilings[row]?.[at] ?? '-'}`),
    ]),
  );

/** Rounds up to two significant digits. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, String(Math.ceil(value)).length - 2);
  return Math.ceil(value / unit) * unit;
}

/** Ceilings above the measured cost: a quarter more queries and subrequests, half as many rows more; 0 stays 0. */
function ceilingOf({ queries, rowsRead, rowsWritten, subrequests }: Usage): Ceiling {
  const quarterMore = (count: number) => Math.ceil(count * 1.25);
  return [
    queries && quarterMore(queries) + 1,
    rowsRead && roundUp(rowsRead * 1.5 + 10),
    rowsWritten && roundUp(rowsWritten * 1.5 + 2),
    quarterMore(subrequests),
  ];
}

/** Rows for tests/ceilings.ts from the measured costs. */
export const proposeCeilings = (costs: Costs): string =>
  sortRows([...costs.keys()])
    .map((row) => `  '${row}': [${ceilingOf(costs.get(row) as Usage).join(', ')}],`)
    .join('\n');
