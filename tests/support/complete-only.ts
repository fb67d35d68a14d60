import * as vitest from 'vitest';

/**
 * For what costs too much for every day: `npm run test:all` runs it, `npm test` prints how much of it was left out. What
 * stands under this says why it may wait.
 */
export const complete = process.env.SIZE === 'full';
export const describe = vitest.describe.skipIf(!complete);
export const it = vitest.it.skipIf(!complete);
