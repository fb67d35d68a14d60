import { afterAll } from 'vitest';
import { table } from '#tests/money/report';

export const isFull = process.env.SIZE === 'full';

const rows: string[][] = [];

/** Records a figure for the table at the end of the run. */
export function recordFigure(label: string, measured: string, target: string, isMet: boolean): void {
  rows.push([label, measured, target, isMet ? 'met' : 'MISSED']);
}

/** Prints a file's figures once its tests are done. */
export function printFigures(): void {
  afterAll(() => console.log(`\n${table(['figure', 'measured', 'target', ''], rows.splice(0))}\n`));
}
