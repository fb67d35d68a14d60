import { afterAll, expect } from 'vitest';
import { type Figures, figuresTable } from './report.ts';

/** Experiments wait for conditions; this only ends one that hangs. */
export const timeout = 1_800_000;

/** Expects of an experiment that nothing was charged twice or lost; prints all of them after the file. */
export function tableOfSafe(): (figures: Figures) => void {
  const found: Figures[] = [];
  afterAll(() => {
    console.log(`\n${figuresTable(found)}\n`);
  });
  return (figures) => {
    found.push(figures);
    const { extraCharges, lost, violations } = figures;
    expect({ extraCharges, lost, violations }).toEqual({ extraCharges: 0, lost: 0, violations: [] });
  };
}
