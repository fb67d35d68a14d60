import * as vitest from 'vitest';

/**
 * `describe` and `it` for tests that are too slow for everyday runs: `npm run test:all` runs them, `npm test` prints
 * the number of skipped ones. Each use states its reason in a comment.
 */
// The Workers runtime lacks the runner's environment, so the tests would always be skipped without notice.
if (navigator.userAgent === 'Cloudflare-Workers') throw new Error('unit tests must read env.COMPLETE instead');

export const complete = process.env.SIZE === 'full';
export const describe = vitest.describe.skipIf(!complete);
export const it = vitest.it.skipIf(!complete);
