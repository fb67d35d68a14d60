import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { MatchingView } from '#shared/contracts/match';
import { useBrowser } from '#tests/support/browser';
import { useProduct } from '#tests/support/product';
import { counterTerminal } from '#tests/support/wire';
import { useMerchant } from './merchant.ts';

const product = useProduct();
const merchantPage = useMerchant(useBrowser(), product.appUrl);

const MARKUP = '<img src=x onerror="document.title=1">';
const QUOTED = JSON.stringify(MARKUP);
const NAMES = /"(terminal_name|terminal-name|name|first-name|last-name|payer|card-type)":"[^"]*"/g;

const differences: MatchingView = {
  checked_at: '2026-03-04T07:00:00.000Z',
  failing_since: null,
  differences: [
    {
      ...{ id: '90001', verdict: 'amount-differs', type: 'SALE', at: '2026-03-03T15:00:00.000Z', amount: '50.00' },
      ...{ ours: '5.00', card: '', payer: MARKUP, customer: MARKUP, invoice: { id: '1', number: MARKUP } },
    },
  ],
  undecided: [],
  undecided_reversals: [],
  resolved: [],
};

/** The product as it answers, with markup for every name in it. */
async function poison(page: Page): Promise<void> {
  await page.route(/\/api\/(terminals|analytics)/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const body = text
      .replace(NAMES, (_all, field: string) => `"${field}":${QUOTED}`)
      .replace('"paymentMethods":{', `"paymentMethods":{${QUOTED}:3${text.includes('"paymentMethods":{}') ? '' : ','}`);
    await route.fulfill({ response, body });
  });
  await page.route('**/api/matching', (route) => route.fulfill({ json: differences }));
}

async function expectText(page: Page): Promise<void> {
  await page.getByRole('main').getByText(MARKUP).first().waitFor({ state: 'attached' });
  // All of it is there, and nothing is on its way any more when the page is left.
  await page.waitForLoadState('networkidle');
  expect(await page.locator('main img').count()).toBe(0);
  expect(await page.title()).not.toBe('1');
}

describe('markup in names at the desk', () => {
  it('is text on the batches, their transactions, the checks and the charts', async () => {
    const page = await merchantPage();
    await poison(page);
    await page.goto(product.appUrl);
    await expectText(page);
    for (const path of [`/transactions?terminal=${counterTerminal().terminalId}`, '/checks', '/analytics']) {
      await page.goto(`${product.appUrl}${path}`);
      await expectText(page);
    }
  });
});
