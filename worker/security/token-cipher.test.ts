import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { makeWorld } from '#tests/support/unit/world';
import { boundTo, createSealer } from './token-cipher.ts';

const key = (text: string) => btoa(text.padEnd(32, '.'));
const OLD = `old:${key('the first key')}`;
const NEW = `new:${key('the second key')}`;

describe('an encrypted secret', () => {
  it('decrypts to the same content and never looks the same twice', async () => {
    const sealer = createSealer(OLD);
    for (const secret of ['na1-0379cca7', '', 'Größe 李 💳', 'x'.repeat(5000)]) {
      const [first, second] = [await sealer.seal(secret, 'row'), await sealer.seal(secret, 'row')];
      expect(await sealer.open(first, 'row')).toBe(secret);
      expect(first).not.toBe(second);
      if (secret) expect(first).not.toContain(secret);
    }
  });

  it('does not decrypt in another row, another column or another table', async () => {
    const sealer = createSealer(OLD);
    const sealed = await sealer.seal('secret', boundTo.accessToken(1));
    expect(await sealer.open(sealed, boundTo.accessToken(1))).toBe('secret');
    for (const place of [boundTo.accessToken(2), boundTo.refreshToken(1), boundTo.apiKey(1, '70143')]) {
      await expect(sealer.open(sealed, place)).rejects.toThrow();
    }
  });

  it('does not decrypt when a single character has changed', async () => {
    const sealer = createSealer(OLD);
    const sealed = await sealer.seal('secret', 'row');
    const [id, iv, text] = sealed.split('.');
    const changeFirst = (part = '') => `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}`;
    for (const brokenText of [
      `${id}.${changeFirst(iv)}.${text}`,
      `${id}.${iv}.${changeFirst(text)}`,
      `${id}.${iv}`,
      id ?? '',
      '',
    ]) {
      await expect(sealer.open(brokenText, 'row')).rejects.toThrow();
    }
  });

  it('decrypts with the old key after a key change, and fails once the old key is removed', async () => {
    const sealed = await createSealer(OLD).seal('secret', 'row');
    const bothKeys = createSealer(`${NEW},${OLD}`);
    expect(await bothKeys.open(sealed, 'row')).toBe('secret');
    const resealed = await bothKeys.seal('secret', 'row');
    expect(resealed).toMatch(/^new\./);
    expect(await createSealer(NEW).open(resealed, 'row')).toBe('secret');
    await expect(createSealer(NEW).open(sealed, 'row')).rejects.toThrow('a key that is not in TOKEN_KEYS');
  });

  it('never appears in a decryption error, nor does its key', async () => {
    const sealed = await createSealer(OLD).seal('secret', 'row');
    const failures = [
      await createSealer(NEW).open(sealed, 'row').catch(String),
      await createSealer(OLD).open(sealed, 'other').catch(String),
    ];
    for (const failure of failures) expect(failure).not.toMatch(/secret.*secret|the first key|dGhlIGZpcnN0/);
  });
});

describe('the database', () => {
  it('stores no vendor token or key in plain text', async () => {
    const world = await makeWorld();
    const rows: unknown[] = [];
    for (const table of [
      'accounts',
      'crm_tokens',
      'terminals',
      'invoices',
      'pay_links',
      'payment_attempts',
      'outbox',
    ]) {
      rows.push(...(await env.DB.prepare(`SELECT * FROM ${table}`).all()).results);
    }
    expect(rows.length).toBeGreaterThan(3);
    const dump = JSON.stringify(rows);
    expect(dump).not.toContain('secret-key');
    const tokens = await env.DB.prepare('SELECT access_token, refresh_token FROM crm_tokens').first<
      Record<string, string>
    >();
    expect(Object.values(tokens ?? {}).every((value) => /^k1\.[\w+/=]{16}\.[\w+/=]{20,}$/.test(value))).toBe(true);
    expect(await world.deps.sealer.open(tokens?.access_token ?? '', boundTo.accessToken(world.accountId))).toBe('a0');
  });
});
