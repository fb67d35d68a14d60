import { afterAll, describe, expect, it } from 'vitest';
import { complete } from '#tests/support/complete-only';
import { useProduct } from '#tests/support/product/product';
import { startProduct } from '#tests/support/product/product-process';
import { drillRestore } from '#tests/support/product/restore-drill';

const PAYMENTS = complete ? 200 : 12;
/** Maximum lag of the card provider's search in production; the drill does not wait for it. */
const LAG_MINUTES = 10;
const PATIENCE_MS = 900_000;

// Its own product, since it loses a clinic.
const running = await startProduct({ env: { SEARCH_LAG_MS: '1000' } });
afterAll(() => running.stop());
const product = useProduct(running);

const minutes = (ms: number) => (ms / 60_000).toFixed(1);

describe('a clinic whose database is lost', () => {
  it(
    `is restored from its dump: of ${PAYMENTS} later payments none is lost or doubled, no mail repeated`,
    async () => {
      const { restoreMs, ageMs, foundByHand, ...counts } = await drillRestore(product, {
        payments: PAYMENTS,
        reconciles: true,
      });
      console.log(
        `restore drill: ${PAYMENTS} payments after the dump, ${foundByHand} found and confirmed; back in ` +
          `${minutes(restoreMs)} minutes and the ${LAG_MINUTES} of the provider’s lag; the dump was ${minutes(ageMs)} minutes old`,
      );
      expect(counts).toEqual({ missing: 0, doubled: 0, mailsRepeated: 0 });
      expect(foundByHand).toBe(PAYMENTS);
    },
    PATIENCE_MS,
  );

  it(
    'would lose and repeat charges without reading the card provider’s transactions',
    async () => {
      const { missing, doubled } = await drillRestore(product, { payments: 4, reconciles: false });
      expect(missing).toBeGreaterThan(0);
      expect(doubled).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );
});
