import { afterAll, expect, it } from 'vitest';
import { manyAtOnce, sameToken } from './experiments/concurrency.ts';
import { type FarmOptions, startFarm } from './farm/farm.ts';
import { type Figures, figuresTable } from './report.ts';
import { openTill, type Till } from './till.ts';

const TIME_LIMIT_MS = 600_000;
const found: Figures[] = [];

/** Each experiment has a world of its own. */
async function inItsOwnWorld(experiment: (till: Till) => Promise<Figures>, options: FarmOptions = {}): Promise<Figures> {
  const farm = await startFarm(options);
  try {
    const figures = await experiment(await openTill(farm));
    found.push(figures);
    return figures;
  } finally {
    await farm.stop();
  }
}

function expectSafe({ extraCharges, lost, violations }: Figures) {
  expect({ extraCharges, lost, violations }).toEqual({ extraCharges: 0, lost: 0, violations: [] });
}

afterAll(() => {
  console.log(`\n${figuresTable(found)}\n`);
});

it('charges once however many submits come at once, where a naive payment charges more often', { timeout: TIME_LIMIT_MS }, async () => {
  const figures = await inItsOwnWorld(manyAtOnce);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('sends a card token to the gateway once and answers it the same for ever', { timeout: TIME_LIMIT_MS }, async () => {
  expectSafe(await inItsOwnWorld(sameToken));
});
