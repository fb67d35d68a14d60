import * as vitest from 'vitest';

/**
 * For tests that cost too much for everyday runs: `npm run test:all` runs them, `npm test` prints how many were
 * skipped. Each use says why it can wait.
 */
// There the environment is not the runner's, so a test would be small for ever and nobody would see it.
if (navigator.userAgent === 'Cloudflare-Workers') throw new Error('unit tests ask env.COMPLETE');

export const complete = process.env.SIZE === 'full';
export const describe = vitest.describe.skipIf(!complete);
export const it = vitest.it.skipIf(!complete);
