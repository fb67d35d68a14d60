import { expect, it } from 'vitest';
import { openedApi, payPath } from '#shared/paths';
import { complete } from '#tests/support/complete-only';
import { useProduct } from '#tests/support/product/product';
import { ask } from './answers.ts';
import { sql } from './expect-money.ts';
import { logIn } from './merchant.ts';

const product = useProduct();
const { appUrl } = product;
const VISITS = complete ? 200 : 40;

const openings = async (invoiceId: string) =>
  (await sql(product, 'SELECT at FROM page_views WHERE invoice_id = ?', invoiceId)).length;

/** The call of the page's own script, with a new id for each load. */
const openedCall = (headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ load: crypto.randomUUID() }),
});

const outlook = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Microsoft Outlook SafeLinks' };
const slack = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' };

it(`a link counts as opened by a payer’s visit, and by none of ${VISITS} visits of programs or the business`, async () => {
  const { payId, invoiceId } = await product.makeLink();
  const { token } = await logIn(appUrl, 0);
  const [page, api, opened] = [payPath(payId), `/api/invoices/${payId}`, openedApi(payId)];
  /** Fetches the page and all files that it references, like a link scanner. */
  const loadEverything = async () => {
    const { text } = await ask(appUrl, page, { headers: outlook });
    const files = [...text.matchAll(/(?:src|href|component-url)="(\/[^"?#]+\.(?:js|css))"/g)].map(
      ([, file]) => file ?? '',
    );
    for (const file of new Set(files)) await ask(appUrl, file, { headers: outlook });
    await ask(appUrl, api);
    return files.length;
  };
  const kinds: Record<string, () => Promise<unknown>> = {
    'GET of the page': () => ask(appUrl, page, { headers: outlook }),
    HEAD: () => ask(appUrl, page, { method: 'HEAD', headers: outlook }),
    'prefetch by a browser': () => ask(appUrl, page, { headers: { 'sec-purpose': 'prefetch', purpose: 'prefetch' } }),
    'preview in a chat': () => ask(appUrl, page, { headers: { ...slack, range: 'bytes=0-32768' } }),
    'page with all of its files': loadEverything,
    'GET of the call that the script reads': () => ask(appUrl, api),
    'GET of the opened call': () => ask(appUrl, opened),
    'HEAD of the opened call': () => ask(appUrl, opened, { method: 'HEAD' }),
    'POST without a body': () => ask(appUrl, opened, { method: 'POST' }),
    'POST of a form': () =>
      ask(appUrl, opened, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `load=${crypto.randomUUID()}`,
      }),
    'merchant who is logged in': () => ask(appUrl, opened, openedCall({ cookie: `authToken=${token}` })),
  };
  const names = Object.keys(kinds);
  expect(await loadEverything()).toBeGreaterThan(0);
  for (let visit = 0; visit < VISITS; visit++) await kinds[names[visit % names.length] ?? '']?.();
  expect(await openings(invoiceId)).toBe(0);

  expect((await ask(appUrl, opened, openedCall())).status).toBe(204);
  expect(await openings(invoiceId)).toBe(1);
}, 120_000);
