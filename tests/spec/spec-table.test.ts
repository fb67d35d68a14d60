import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bearer } from '#tests/support/consent';
import { useProduct } from '#tests/support/product/product';
import { ask, payerAddress } from '../whole/answers.ts';
import { logIn } from '../whole/merchant.ts';
import { textOfHtml } from '../whole/payer.ts';
import { contentAnswers } from './content-answers.ts';
import type { Place, Row } from './rows.ts';
import { table } from './spec-table.ts';

const product = useProduct();
const { appUrl } = product;

type AnswerName = Extract<Place, { answer: string }>['answer'];
const pages = new Map<string, string>();
const answers = new Map<AnswerName, unknown>();
let scripts = '';
/** The built pay page, which contains its own texts. */
let payPage = '';
/** The widths in all media queries of the built site. */
const widths = new Set<string>();
let openId = '';

beforeAll(async () => {
  const openLink = await product.makeLink();
  openId = openLink.payId;
  const pay = async (card?: string) => {
    const { payId } = await product.makeLink();
    const form = await product.form(card ? { paymentDetails: await product.cardToken(card) } : {});
    return (await product.pay(payId, form, payerAddress())).json();
  };
  answers.set('invoice', JSON.parse((await ask(appUrl, `/api/invoices/${openId}`)).text));
  answers.set('approved', await pay());
  answers.set('declined', await pay('4000000000000002'));
  answers.set('refused', await (await product.pay(openId, '{', payerAddress())).json());
  answers.set(
    'preview',
    JSON.parse(
      (await ask(appUrl, `/api/invoices/${openId}`, { headers: bearer((await logIn(appUrl, 0)).token) })).text,
    ),
  );
  const headers = bearer((await logIn(appUrl, 0)).token);
  const readAs = async (path: string): Promise<unknown> => JSON.parse((await ask(appUrl, path, { headers })).text);
  const [device] = (await readAs('/api/terminals')) as { terminal_id: string }[];
  const batches = `/api/terminals/${device?.terminal_id}/batches`;
  answers.set('batches', await readAs(batches));
  answers.set('transactions', await readAs(`${batches}/${valueAt(answers.get('batches'), 'batch.0.id')}`));
  answers.set('unauthorized', JSON.parse((await ask(appUrl, '/api/invoices')).text));
  for (const [name, answer] of Object.entries(await contentAnswers(product))) answers.set(name as AnswerName, answer);
  const client = path.join(product.state, 'site/client');
  for (const file of globSync(path.join(client, '_astro/*.js'))) scripts += readFileSync(file, 'utf8');
  payPage = readFileSync(path.join(client, 'make/payment/shell-en.html'), 'utf8');
  for (const file of globSync(path.join(client, '**/*.{css,html}')))
    for (const [query] of readFileSync(file, 'utf8').matchAll(/@media[^{]*width[^{]*\{/g))
      for (const condition of query.split(' and ').filter((part) => part.includes('width')))
        for (const [width] of condition.matchAll(/[\d.]+(?:px|rem|em)/g)) widths.add(width);
});

const ADDRESSES: Record<string, () => string> = {
  'open invoice': () => `/make/payment/${openId}`,
  'unknown invoice': () => '/make/payment/nothing',
};

async function pageText(page: string): Promise<string> {
  const cachedText = pages.get(page);
  if (cachedText !== undefined) return cachedText;
  const text = textOfHtml((await ask(appUrl, ADDRESSES[page]?.() ?? page)).text);
  pages.set(page, text);
  return text;
}

const valueAt = (answer: unknown, fieldPath: string): unknown =>
  fieldPath
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      answer,
    );

async function expectInPlace({ exact, place }: Row) {
  if ('page' in place) expect(await pageText(place.page)).toContain(exact);
  else if ('client' in place) expect(place.client === 'pay' ? payPage : scripts).toContain(exact);
  else if ('answer' in place) expect(valueAt(answers.get(place.answer), exact), exact).toBeDefined();
  else if ('styles' in place) expect(widths).toContain(exact);
  else if ('shownBy' in place) throw new Error('only the named test can show this');
  else {
    const [method = '', address = ''] = exact.split(' ');
    const url = address.replace('{invoiceId}', openId).replace(/\{\w+\}/g, '1');
    const headers = { 'content-type': 'application/json', ...payerAddress() };
    const answer = await ask(appUrl, url, method === 'POST' ? { method, headers, body: '{' } : { method });
    expect(answer.status, exact).toBe(place.status);
  }
}

/** True if a file has a test of this name, in any quotes; `…` stands for a template placeholder. */
const hasTest = (file: string, name: string): boolean => {
  const source = readFileSync(file, 'utf8').replaceAll("\\'", "'");
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '\\$\\{\\w+\\}');
  return (
    new RegExp(`(['"\`])${pattern}\\1`).test(source) && !/\b(?:it|describe|test)\.(?:skip|only|todo)\b/.test(source)
  );
};

/** Returns the source of a test file and of its relative imports. */
function sourceWithImports(file: string): string {
  const source = readFileSync(file, 'utf8');
  const imports = [...source.matchAll(/from '(\.{1,2}\/[^']+)'/g)].map(([, name]) =>
    path.join(path.dirname(file), name ?? ''),
  );
  return [source, ...imports.filter((name) => existsSync(name)).map((name) => readFileSync(name, 'utf8'))].join('\n');
}

describe('the specification table', () => {
  const checkedRows = table.filter(({ place }) => !('shownBy' in place));
  it.each(checkedRows.map((row) => [`${row.id}: ${row.exact}`, row] as const))(
    'matches the product for %s',
    async (_name, row) => {
      await expectInPlace(row);
    },
  );

  it('names an existing test that is not skipped for every row', () => {
    const missingTests = table.filter(({ test: [file, name] }) => !existsSync(file) || !hasTest(file, name));
    expect(missingTests.map(({ id, test }) => [id, ...test])).toEqual([]);
  });

  it('names a test file that contains the text for every text', () => {
    const texts = table.filter(({ kind }) => kind === 'text');
    const missingTexts = texts.filter(({ exact, test: [file] }) => !sourceWithImports(file).includes(exact.trim()));
    expect(missingTexts.map(({ id, exact, test }) => [id, exact, test[0]])).toEqual([]);
  });

  it('lists every row once', () => {
    const ids = table.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    const places = table.map(({ exact, place }) => `${exact} ${JSON.stringify(place)}`);
    expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([]);
  });

  it('lists every width at which the built pages change', () => {
    // The breakpoints, 0.02px below them for max-width, and a phone too narrow for the largest amounts.
    const allowed = ['576px', '768px', '992px', '1200px', '1400px', '575.98px', '767.98px', '991.98px', '359.98px'];
    expect([...widths].filter((width) => !allowed.includes(width))).toEqual([]);
  });
});
