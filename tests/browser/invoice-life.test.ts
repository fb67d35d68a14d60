import { describe, expect, it } from 'vitest';
import { useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { NOTHING_YET, servePreview } from '#tests/support/servers/preview-server';
import { useMerchant } from './merchant.ts';
import { expectGood } from './payer.ts';

const product = useProduct();
const merchantPage = useMerchant(useBrowser(), product.appUrl);
const ID = '903';
const YEAR = new Date().getFullYear();
const at = (day: string) => `${YEAR}-${day}T15:42:00.000Z`;

const life = {
  ...NOTHING_YET,
  sent: { first_at: at('03-01'), last_at: at('03-01'), times: 1, to: 'marta@payer.example' },
  opened: { first_at: at('03-02'), last_at: at('03-03'), times: 3 },
  mails: [{ kind: 'pay-link' as const, at: at('03-01'), state: 'sent' as const, delivery: 'delivered' as const }],
};
describe('timeline of an invoice', () => {
  it('keeps its position and size while it loads', async () => {
    const page = await merchantPage({});
    const server = await servePreview(page, ID, { life });
    let release = () => {};
    server.hold = new Promise((resolve) => {
      release = resolve;
    });
    await page.goto(`${product.appUrl}/invoice/${ID}`);
    await page.getByText('Loading invoice...').waitFor();
    const box = async () => page.locator('.life').boundingBox();
    const loading = await box();
    server.hold = null;
    release();
    await page.getByRole('button', { name: 'Save Invoice' }).waitFor();
    const loaded = await box();
    expect([loaded?.x, loaded?.width]).toEqual([loading?.x, loading?.width]);
    expect(Math.abs((loaded?.y ?? 0) - (loading?.y ?? 0))).toBeLessThan(4);
    expect(Math.abs((loaded?.height ?? 0) - (loading?.height ?? 0))).toBeLessThan(4);
    await expectGood(page, 'preview');
  });
});
