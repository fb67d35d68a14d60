import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { DATABASE_PATH, SECRET_HEADER, SETTINGS_HEADER } from '#tests/support/product/remote-database';
import { ask } from './answers.ts';

const product = useProduct();
const d1 = () => product.installation().db.$client;
const freshId = () => crypto.randomUUID();
const insert = (id: string) =>
  d1().prepare("INSERT INTO login_states (state_hash, verifier, ends_at) VALUES (?, '', 9e12)").bind(id);

describe('the test entry to the product’s database', () => {
  it.each([null, '', 'Núñez 🦷', 0, -1.5, Number.MAX_SAFE_INTEGER])('returns %s as it was bound', async (value) => {
    expect(await d1().prepare('SELECT ? AS it').bind(value).first('it')).toBe(value);
  });

  it('keeps bytes as bytes and refuses values no column can hold', async () => {
    const bytes = Uint8Array.from([0, 1, 254, 255]);
    const row = await d1().prepare('SELECT typeof(?1) AS kind, hex(?1) AS digits').bind(bytes).first();
    expect(row).toEqual({ kind: 'blob', digits: '0001FEFF' });
    for (const value of [undefined, Number.NaN, {}, 1n])
      expect(() => d1().prepare('SELECT ?').bind(value)).toThrow('D1_TYPE_ERROR');
  });

  it('returns rows as objects, as lists, and the first one or none', async () => {
    const two = d1().prepare('SELECT 1 AS a, 2 AS a UNION ALL SELECT 3, 4');
    expect((await d1().prepare('SELECT 1 AS a UNION ALL SELECT 2').all()).results).toEqual([{ a: 1 }, { a: 2 }]);
    expect(await two.raw()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect((await two.raw({ columnNames: true }))[0]).toEqual(['a', 'a']);
    expect(await d1().prepare('SELECT 1 AS a WHERE 0').first()).toBeNull();
  });

  it('reports how many rows a write changed', async () => {
    const id = freshId();
    expect((await insert(id).run()).meta).toMatchObject({ changes: 1, last_row_id: expect.any(Number) });
    const removed = await d1().prepare('DELETE FROM login_states WHERE state_hash IN (?, ?)').bind(id, 'nothing').run();
    expect(removed.meta.changes).toBe(1);
  });

  it('runs all statements of a batch or none, and names the violated constraint', async () => {
    const id = freshId();
    await expect(d1().batch([insert(id), insert(id)])).rejects.toThrow(/UNIQUE constraint failed: login_states/);
    expect(await d1().prepare('SELECT * FROM login_states WHERE state_hash = ?').bind(id).first()).toBeNull();
  });

  it.each([
    ['no secret', {}],
    ['another secret', { [SECRET_HEADER]: 'x'.repeat(32) }],
  ])('returns 404 to a caller with %s', async (_label, headers) => {
    const call = { method: 'POST', body: '{"do":"exec","text":"SELECT 1"}' };
    const request = { ...call, headers: { ...headers, 'content-type': 'application/json' } };
    const refused = await ask(product.appUrl, DATABASE_PATH, request);
    const unknown = await ask(product.appUrl, '/api/nowhere/database', request);
    expect(refused.status).toBe(404);
    expect(refused.text).toBe(unknown.text);
  });
});

it('ignores settings sent with a request without the secret', async () => {
  const { address } = await product.makeLink();
  const paused = { [SETTINGS_HEADER]: '{"PAY_PAGE":"paused"}' };
  expect((await fetch(address, { headers: { ...paused, [SECRET_HEADER]: product.secret } })).status).toBe(503);
  expect((await fetch(address, { headers: { ...paused, [SECRET_HEADER]: 'x'.repeat(32) } })).status).toBe(200);
  expect((await fetch(address)).status).toBe(200);
});

it('leaves the test entry out of every build', () => {
  const files = globSync('**/*', { cwd: path.join(product.state, 'site') })
    .map((name) => path.join(product.state, 'site', name))
    .filter((file) => statSync(file).isFile());
  const filesWith = (word: string) => files.filter((file) => readFileSync(file).includes(word));
  // Every build contains this, so it proves that the search works.
  expect(filesWith('/api/invoices').length).toBeGreaterThan(0);
  for (const word of [DATABASE_PATH, SECRET_HEADER, SETTINGS_HEADER, 'ENTRY_SECRET', product.secret])
    expect(filesWith(word), word).toEqual([]);
});
