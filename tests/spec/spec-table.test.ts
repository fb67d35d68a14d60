import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bearer } from '#tests/support/consent';
import { useProduct } from '#tests/support/product/product';
import { ask, payerAddress } from '../whole/answers.ts';
import { logIn } from '../whole/merchant.ts';
import { words } from '../whole/payer.ts';
import { contentAnswers } from './content-answers.ts';
import type { Place, Row } from './rows.ts';
import { table } from './spec-table.ts';

const product = useProduct();
const { appUrl } = product;

type Answered = Extract<Place, { answer: string }>['answer'];
const pages = new Map<string, string>();
const answers = new Map<Answered, unknown>();
let scripts = '';
/** The built pay page, which contains its own texts. */
let payPage = '';
/** The widths in all media queries of the built site. */
const widths = new Set<string>();
let openId = '';

beforeAll(async () => {
  const open = await product.makeLink();
  openId = open.payId;
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
  for (const [name, answer] of Object.entries(await contentAnswers(product))) answers.set(name as Answered, answer);
  const client = path.join(product.state, 'site/client');
  for (const file of globSync(path.join(client, '_astro/*.js'))) scripts += readFileSync(file, 'utf8');
  payPage = readFileSync(path.join(client, 'make/payment/shell-en.html'), 'utf8');
  for (const file of globSync(path.join(client, '**/*.{css,html}')))
    for (const [query] of readFileSync(file, 'utf8').matchAll(/@media[^{]*width[^{]*\{/g))
      for (const condition of query.split(' and ').filter((one) => one.includes('width')))
        for (const [width] of condition.matchAll(/[\d.]+(?:px|rem|em)/g)) widths.add(width);
});

const ADDRESSES: Record<string, () => string> = {
  'open invoice': () => `/make/payment/${openId}`,
  'unknown invoice': () => '/make/payment/nothing',
};

async function pageText(page: string): Promise<string> {
  const known = pages.get(page);
  if (known !== undefined) return known;
  const text = words((await ask(appUrl, ADDRESSES[page]?.() ?? page)).text);
  pages.set(page, text);
  return text;
}

const valueAt = (from: unknown, way: string): unknown =>
  way
    .split('.')
    .reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined), from);

async function expectToStand({ exact, stands }: Row) {
  if ('page' in stands) expect(await pageText(stands.page)).toContain(exact);
  else if ('client' in stands) expect(stands.client === 'pay' ? payPage : scripts).toContain(exact);
  else if ('answer' in stands) expect(valueAt(answers.get(stands.answer), exact), exact).toBeDefined();
  else if ('styles' in stands) expect(widths).toContain(exact);
  else if ('shownBy' in stands) throw new Error('shown by the test that it names');
  else {
    const [method = '', address = ''] = exact.split(' ');
    const named = address.replace('{invoiceId}', openId).replace(/\{\w+\}/g, '1');
    const headers = { 'content-type': 'application/json', ...payerAddress() };
    const answer = await ask(appUrl, named, method === 'POST' ? { method, headers, body: '{' } : { method });
    expect(answer.status, exact).toBe(stands.status);
  }
}

/** True if a file has a test of this name, in any quotes; `…` stands for a template placeholder. */
const holdsTest = (file: string, name: string): boolean => {
  const source = readFileSync(file, 'utf8').replaceAll("\\'", "'");
  const written = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '\\$\\{\\w+\\}');
  return (
    new RegExp(`(['"\`])${written}\\1`).test(source) && !/\b(?:it|describe|test)\.(?:skip|only|todo)\b/.test(source)
  );
};

/** The text of a test file and of its relative imports. */
function saidIn(file: string): string {
  const source = readFileSync(file, 'utf8');
  const beside = [...source.matchAll(/from '(\.{1,2}\/[^']+)'/g)].map(([, name]) =>
    path.join(path.dirname(file), name ?? ''),
  );
  return [source, ...beside.filter((name) => existsSync(name)).map((name) => readFileSync(name, 'utf8'))].join('\n');
}

describe('the specification table', () => {
  const seen = table.filter(({ stands }) => !('shownBy' in stands));
  it.each(seen.map((row) => [`${row.id}: ${row.exact}`, row] as const))(
    'matches the product for %s',
    async (_what, row) => {
      await expectToStand(row);
    },
  );

  it('names an existing test that is not skipped for every row', () => {
    const lost = table.filter(({ reachedBy: [file, name] }) => !existsSync(file) || !holdsTest(file, name));
    expect(lost.map(({ id, reachedBy }) => [id, ...reachedBy])).toEqual([]);
  });

  it('names a test file that contains the text for every text', () => {
    const texts = table.filter(({ kind }) => kind === 'text');
    const unread = texts.filter(({ exact, reachedBy: [file] }) => !saidIn(file).includes(exact.trim()));
    expect(unread.map(({ id, exact, reachedBy }) => [id, exact, reachedBy[0]])).toEqual([]);
  });

  it('lists every row once', () => {
    const ids = table.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    const places = table.map(({ exact, stands }) => `${exact} ${JSON.stringify(stands)}`);
    expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([]);
  });

  it('lists every width at which the built pages change', () => {
    // The breakpoints, 0.02px below them for max-width, and a phone too narrow for the largest amounts.
    const allowed = ['576px', '768px', '992px', '1200px', '1400px', '575.98px', '767.98px', '991.98px', '359.98px'];
    expect([...widths].filter((width) => !allowed.includes(width))).toEqual([]);
  });
});
