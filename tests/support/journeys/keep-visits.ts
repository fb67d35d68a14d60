import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { VISITS, type Visits } from '#scripts/run-tests/journeys';
import { takeVisits } from './visits.ts';

/** A setup file of the journeys: saves the paths that each test file requested, for tests/journeys.json. */
beforeAll(() => void takeVisits());

afterAll(() => {
  const { testPath = '' } = expect.getState();
  const file = path.relative('.', testPath).replaceAll(path.sep, '/');
  mkdirSync(VISITS, { recursive: true });
  const visits: Visits = { file, paths: takeVisits() };
  writeFileSync(path.join(VISITS, `${file.replaceAll('/', '-')}.json`), JSON.stringify(visits));
});
