import { afterAll, expect, onTestFinished, test } from 'vitest';
import { expectAccessible, launchBrowser } from '#tests/support/browser/browser';
import { frontDesk, startSandbox, uniqueName } from './start.ts';

const world = await startSandbox();
const browser = await launchBrowser();
afterAll(() => browser.close());

async function open(colorScheme: 'light' | 'dark' = 'light') {
  const context = await browser.newContext({ colorScheme });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${world.url}/terminals/${frontDesk.terminalId}`);
  return page;
}

test('the display updates with the device, and the sale can be paid by keyboard alone', async () => {
  const page = await open();
  await page.getByText('Nothing to pay').waitFor();
  const order = uniqueName('order');
  const sale = world.terminalSale({ amount: '18.75', 'order-id': order });
  await page.getByRole('status').getByText('$18.75').waitFor();
  await page.getByLabel('Card').selectOption('Mastercard ending in 4444');
  await page.getByRole('button', { name: 'Tap the card' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Nothing to pay').waitFor();
  expect((await sale).status).toBe(200);
  await page.getByRole('button', { name: 'Take offline' }).click();
  await page.getByText('Offline').waitFor();
  expect((await world.terminalSale({})).status).toBe(400);
  await page.getByRole('button', { name: 'Bring online' }).click();
  await page.getByText('Nothing to pay').waitFor();
});

test.each(['light', 'dark'] as const)('the page has no accessibility violation in the %s theme', async (theme) => {
  const page = await open(theme);
  const sale = world.terminalSale({});
  await page.getByRole('status').getByText('Please tap').waitFor();
  await expectAccessible(page);
  await world.touch('cancel');
  await sale;
});
