/** The result of an experiment: one row of the table that a full run prints. */
export type Figures = {
  experiment: string;
  size: string;
  extraCharges: number;
  lostCharges: number;
  /** The result of the same faults for an unprotected payment; null without such a control. */
  control: string | null;
  /** A remark in a few words. */
  note: string;
  violations: string[];
};

export const isFull = process.env.SIZE === 'full';

/** The size of an experiment: full in a complete run, smaller in everyday runs. */
export const sized = (full: number, everyday: number): number => (isFull ? full : everyday);

export const verdict = ({ extraCharges, lostCharges, violations }: Figures) =>
  extraCharges === 0 && lostCharges === 0 && violations.length === 0 ? 'pass' : 'FAIL';

/** "3 approved, 1 sent" */
export function countOf(words: (string | number)[]): string {
  const kinds = [...new Set(words)].sort();
  return kinds.map((kind) => `${words.filter((word) => word === kind).length} ${kind}`).join(', ');
}

export function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export const figuresTable = (all: Figures[]): string =>
  table(
    ['experiment', 'size', 'extra charges', 'lost', 'control: extra', 'verdict', 'note'],
    all.map((figures) => [
      figures.experiment,
      figures.size,
      String(figures.extraCharges),
      String(figures.lostCharges),
      figures.control ?? '-',
      verdict(figures),
      figures.note,
    ]),
  );
