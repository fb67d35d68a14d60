import { describe, expect, it } from 'vitest';
import { createSignedTokens } from './signed-tokens.ts';

const key = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));
const MINUTE = 60_000;
const NOW = Date.parse('2026-01-01T12:00:00Z');

const tokens = createSignedTokens(`new:${key(1)},old:${key(2)}`, 'staff', MINUTE);
const issueToken = () => tokens.issue({ id: 'session', subject: '7', more: { clinic: 3 } }, NOW);
const claims = { id: 'session', subject: '7', endsAt: NOW + MINUTE, more: { clinic: 3 } };

describe('a signed token', () => {
  it('is valid until it ends, on the first read and later', async () => {
    const token = await issueToken();
    expect(await tokens.read(token, NOW)).toEqual(claims);
    expect(await tokens.read(token, NOW + MINUTE - 1)).toEqual(claims);
    expect(await tokens.read(token, NOW + MINUTE)).toBeNull();
    // A token that was never read before has expired, too.
    expect(await createSignedTokens(`new:${key(1)}`, 'staff', MINUTE).read(token, NOW + MINUTE)).toBeNull();
  });

  it('is invalid when any part was changed, even after the original was read', async () => {
    const token = await issueToken();
    await tokens.read(token, NOW);
    const parts = token.split('.');
    for (const at of [0, 1, 2]) {
      const changedParts = parts.map((part, index) =>
        index === at ? `${part[0] === 'e' ? 'f' : 'e'}${part.slice(1)}` : part,
      );
      expect(await tokens.read(changedParts.join('.'), NOW), `part ${at}`).toBeNull();
    }
  });

  it('is valid for one kind and one key ring only', async () => {
    const token = await issueToken();
    await tokens.read(token, NOW);
    expect(await createSignedTokens(`new:${key(1)}`, 'payer', MINUTE).read(token, NOW)).toBeNull();
    expect(await createSignedTokens(`new:${key(3)}`, 'staff', MINUTE).read(token, NOW)).toBeNull();
    expect(await createSignedTokens(`other:${key(9)},new:${key(1)}`, 'staff', MINUTE).read(token, NOW)).toEqual(claims);
  });
});
