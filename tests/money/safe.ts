import { afterAll, expect } from 'vitest';
import { type Figures, figuresTable } from './report.ts';

/** Only ends experiments that hang, since experiments wait for conditions (ms). */
export const timeout = 1_800_000;

/** Returns a check that an experiment charged nothing twice and lost nothing. Prints all figures after the file. */
export function makeSafetyCheck(): (figures: Figures) => void {
  const allFigures: Figures[] = [];
  afterAll(() => {
    console.log(`\n${figuresTable(allFigures)}\n`);
  });
  return (figures) => {
    allFigures.push(figures);
    const { extraCharges, lostCharges: lost, violations } = figures;
    expect({ extraCharges, lost, violations }).toEqual({ extraCharges: 0, lost: 0, violations: [] });
  };
}
