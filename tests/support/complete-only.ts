import * as vitest from 'vitest';

/**
 * For tests that cost too much for everyday runs: `npm run test:all` runs them, `npm test` prints how many were
 * skipped. Each use says why it can wait.
 */
export const complete = process.env.SIZE === 'full';
export const describe = vitest.describe.skipIf(!complete);
export const it = vitest.it.skipIf(!complete);
