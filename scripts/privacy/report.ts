import type { PersonErasedPlace, PersonPlace } from '#shared/contracts/operate';

/** What is stored about a person, place by place, row by row; times as a person reads them. */
export function shownText(holdings: PersonPlace[]): string {
  return holdings
    .map(({ name, rows, erasable, stays }) =>
      [
        `${name}: ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}, ${erasable} may be erased now`,
        ...rows.map((row) => `    ${Object.entries(row).map(fieldText).filter(Boolean).join(', ')}`),
        ...(erasable < rows.length ? [`  stays: ${stays}`] : []),
      ].join('\n'),
    )
    .join('\n\n');
}

function fieldText([name, value]: [string, unknown]): string {
  if (value === null || value === '') return '';
  const isTime = /_at$/.test(name) && typeof value === 'number';
  return `${name} ${isTime ? new Date(value).toISOString().slice(0, 16).replace('T', ' ') : plain(String(value))}`;
}

/** What was erased and what stays, as a table, with the reasons under it. */
export function erasedText(erased: PersonErasedPlace[]): string {
  const rows = [
    ['place', 'rows', 'erased', 'stay'],
    ...erased.map((one) => [one.name, `${one.found}`, `${one.erased}`, `${one.found - one.erased}`]),
  ];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const lines = rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  );
  const reasons = erased.filter(({ found, erased: n }) => n < found).map(({ name, stays }) => `${name}\n  ${stays}`);
  return [...lines, ...(reasons.length > 0 ? ['', 'Why the rest stays', ...reasons] : [])].join('\n');
}

/** Payers and the CRM wrote these texts: what would steer the terminal is left out. */
const plain = (text: string) => text.replaceAll(/\p{C}/gu, ' ');
