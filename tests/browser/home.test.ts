import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, PHONE, useBrowser, WITH_MOTION } from '#tests/support/browser/browser';
import { shiftsOf, watchShifts } from '#tests/support/browser/layout-shift';
import { useProduct } from '#tests/support/product/product';
import { expectFocus } from './payer.ts';

const { appUrl } = useProduct();
const newPage = useBrowser(WITH_MOTION);

const bank = (page: Page) => page.getByRole('region', { name: 'Try it: you are the bank.' });
const actionButton = (page: Page, name: string) => bank(page).getByRole('button', { name });
const statusText = (page: Page) => bank(page).getByRole('status').innerText();
/** The name and the state of each step of the payment. */
const steps = (page: Page) =>
  bank(page)
    .getByRole('listitem')
    .evaluateAll((all) => all.map((step) => `${step.textContent} ${step.className}`));
/** The state and theme of each visible picture of the counter that is loaded. */
const visiblePictures = (page: Page) =>
  bank(page)
    .locator('.bank-counter img')
    .evaluateAll((all) =>
      (all as HTMLImageElement[])
        .filter((image) => image.checkVisibility({ visibilityProperty: true }) && image.naturalWidth > 0)
        .map(({ currentSrc }) => /counter-([a-z]+-[a-z]+)/.exec(currentSrc)?.[1]),
    );

/** Presses a button and waits until the card is read. The first press loads the script. */
async function decide(page: Page, name: string) {
  await actionButton(page, name).click();
  await expect.poll(async () => (await steps(page))[1]).toBe('Card read: done done');
}

/** Opens the homepage with a clock that only the test advances. */
async function openPausedHome(options: Parameters<typeof newPage>[0] = {}): Promise<Page> {
  const page = await newPage(options);
  await page.clock.install({ time: '2026-11-24T14:18:00Z' });
  await page.goto(appUrl);
  await page.clock.pauseAt('2026-11-24T15:00:00Z');
  return page;
}

const TAPPED = ['Sent: done done', 'Card read now', 'Paid ahead', 'Receipt ahead'];
const PAID = ['Sent: done done', 'Card read: done done', 'Paid: done done', 'Receipt: done done'];

describe('a visitor who plays the bank on the homepage', () => {
  it('decides about a tapped card; each step is filled 240 ms after the one before', async () => {
    const page = await openPausedHome();
    expect([await statusText(page), await steps(page)]).toEqual(['A card was tapped. You decide.', TAPPED]);
    await expect.poll(() => visiblePictures(page)).toEqual(['waiting-light']);
    await decide(page, 'Approve');
    expect(await steps(page)).toEqual(['Sent: done done', 'Card read: done done', 'Paid now', 'Receipt ahead']);
    await page.clock.runFor(239);
    expect((await steps(page))[2]).toBe('Paid now');
    await page.clock.runFor(1);
    expect((await steps(page)).slice(2)).toEqual(['Paid: done done', 'Receipt now']);
    await expect.poll(() => visiblePictures(page)).toEqual(['approved-light']);
    await page.clock.runFor(240);
    expect(await steps(page)).toEqual(PAID);
    expect(await statusText(page)).toBe('Approved. The invoice is paid, and it cannot be charged again.');
    await page.clock.resume();
    await expectAccessible(page);
  });

  it('declines by keyboard and reads that nothing was charged', async () => {
    const page = await openPausedHome({ theme: 'dark', viewport: PHONE });
    await actionButton(page, 'Decline').focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await steps(page))[1]).toBe('Card read: done done');
    await page.clock.runFor(240);
    expect((await steps(page)).slice(2)).toEqual(['Declined failed', 'Receipt ahead']);
    expect(await statusText(page)).toBe('Declined. Nothing was charged. Another card may work.');
    await expect.poll(() => visiblePictures(page)).toEqual(['declined-dark']);
    await expectFocus(actionButton(page, 'Decline'));
    await page.clock.resume();
    await expectAccessible(page);
  });

  it('sees a payment whose answer is lost as neither paid nor declined until the provider was queried', async () => {
    const page = await openPausedHome({ theme: 'dark' });
    await decide(page, 'Lose the answer');
    await page.clock.runFor(240);
    expect((await steps(page)).slice(2)).toEqual(['Not known yet unknown', 'Receipt ahead']);
    expect(await statusText(page)).toBe(
      'The answer was lost. The counter says so, the provider is asked, and nothing can be charged meanwhile.',
    );
    await expect.poll(() => visiblePictures(page)).toEqual(['unknown-dark']);
    await page.clock.runFor(5000);
    await page.clock.runFor(240);
    expect(await steps(page)).toEqual(PAID);
    expect(await statusText(page)).toBe('The provider had approved it. The invoice is paid, and was charged once.');
    await expect.poll(() => visiblePictures(page)).toEqual(['approved-dark']);
  });

  it('meets no accessibility violation while the answer is lost', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await newPage({ theme });
      await page.goto(appUrl);
      await actionButton(page, 'Lose the answer').click();
      await bank(page).getByText('The answer was lost.').waitFor();
      await expectAccessible(page);
    }
  });

  it('can press another button midway, and the last one counts', async () => {
    const page = await openPausedHome();
    await decide(page, 'Approve');
    await page.clock.runFor(100);
    await actionButton(page, 'Decline').click();
    await page.clock.runFor(10_000);
    expect((await steps(page))[2]).toBe('Declined failed');
  });

  it('sees the end state at once with reduced motion', async () => {
    const page = await openPausedHome({ reducedMotion: 'reduce' });
    await decide(page, 'Approve');
    await page.clock.runFor(1);
    await page.clock.runFor(1);
    expect(await steps(page)).toEqual(PAID);
  });

  it('sees the approved payment without buttons or card inputs when JavaScript is off', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(appUrl);
    await bank(page).getByText('Approved. The invoice is paid, and it cannot be charged again.').waitFor();
    expect(await bank(page).getByRole('button').count()).toBe(0);
    expect(await page.locator('main').locator('input, textarea, [contenteditable], iframe').count()).toBe(0);
    expect(await bank(page).getByAltText('The counter: paid, thank you.').and(page.locator(':visible')).count()).toBe(
      1,
    );
  });

  it('sees the pictures in the chosen theme, not in the system theme', async () => {
    const page = await newPage({ theme: 'light' });
    await page.goto(appUrl);
    await page.getByLabel('Theme').selectOption('dark');
    await page.reload();
    await expect.poll(() => visiblePictures(page)).toEqual(['waiting-dark']);
  });
});

describe('pages of the public site', () => {
  it.each(['/', '/blog', '/blog/card-or-bank-debit'])(
    'text is the largest paint and no layout shifts on a slow phone: %s',
    async (path) => {
      const page = await newPage({ viewport: PHONE, isMobile: true });
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      const rate = (1.6 * 1024 * 1024) / 8;
      const slow = { offline: false, latency: 150, downloadThroughput: rate, uploadThroughput: rate };
      await session.send('Network.emulateNetworkConditions', slow);
      await watchShifts(page);
      await page.goto(`${appUrl}${path}`, { waitUntil: 'networkidle' });
      const largest = await page.evaluate(
        () =>
          new Promise<string[]>((resolve) => {
            new PerformanceObserver((list) =>
              resolve(
                (list.getEntries() as (PerformanceEntry & { element?: Element })[]).map(
                  ({ element }) => element?.tagName ?? '',
                ),
              ),
            ).observe({ type: 'largest-contentful-paint', buffered: true });
          }),
      );
      expect(['H1', 'H2', 'H3', 'P', 'A', 'LI']).toContain(largest.at(-1));
      expect(await shiftsOf(page)).toBeLessThanOrEqual(0.01);
    },
  );
});

describe('homepage', () => {
  it('loads at most 80 kB of hero pictures in whatever order the buttons are pressed', async () => {
    const page = await newPage({ theme: 'light', reducedMotion: 'reduce' });
    const sizes = new Map<string, number>();
    page.on('response', async (answer) => {
      const name = /\/((?:pay|counter)-[^/]*\.webp)$/.exec(answer.url())?.[1];
      if (name) sizes.set(name, (await answer.body()).length);
    });
    await page.goto(appUrl);
    for (const [name, state] of [
      ['Decline', 'declined-light'],
      ['Lose the answer', 'unknown-light'],
      ['Approve', 'approved-light'],
    ] as const) {
      await actionButton(page, name).click();
      await expect.poll(() => visiblePictures(page)).toEqual([state]);
    }
    await expect.poll(() => sizes.size).toBe(5);
    expect([...sizes.values()].reduce((all, bytes) => all + bytes, 0)).toBeLessThanOrEqual(80_000);
  });

  it('makes three promises after the features, each linked to an existing proof on the site', async () => {
    const page = await newPage();
    await page.goto(appUrl);
    const promises = page.getByRole('region', { name: 'What we promise, and how you can check it' });
    const after = await promises.evaluate((section) => section.previousElementSibling?.className);
    expect(after).toContain('features');
    const links = await promises.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(['/proof#one-charge', '/proof#no-answer', '/proof#card-numbers']);
    await page.goto(`${appUrl}/proof`);
    for (const link of links) {
      const heading = page.locator(link?.replace('/proof', '') ?? '');
      expect(await heading.evaluate(({ tagName }) => tagName), link ?? '').toBe('H2');
    }
    await page.getByText('What we cannot prevent.').waitFor();
  });

  it('links from its badges to no claim without evidence, and the page of claims lists none', async () => {
    const page = await newPage();
    await page.goto(appUrl);
    await page.getByRole('list', { name: 'Standards' }).waitFor();
    expect(await page.locator('a[href="/claims"]').count()).toBe(0);
    await page.goto(`${appUrl}/claims`);
    await page.getByText('None of the claims on the homepage has been checked yet.').waitFor();
    expect(await page.locator('main h2').count()).toBe(0);
    expect(await page.getByText('Sample claims').count()).toBe(1);
  });
});
