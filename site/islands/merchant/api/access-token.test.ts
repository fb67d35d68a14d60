import { describe, expect, it } from 'vitest';
import { expiryOf } from '#site/islands/ui/api/api-client.ts';
import { readToken } from './api.ts';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('access token', () => {
  it('is read from its cookie, not from one whose name only ends in the same way', () => {
    expect(readToken('a=1; authToken=x.y.z; b=2')).toBe('x.y.z');
    expect(readToken('myauthToken=x.y.z')).toBeNull();
    expect(readToken('authToken=')).toBeNull();
    expect(readToken('')).toBeNull();
  });

  it('contains its expiry time, which can be read even if the claims contain special characters', () => {
    const token = `h.${encode({ exp: 1_900_000_000, sub: '>>>???ü' })}.s`;
    expect(token).toMatch(/[-_]/);
    expect(expiryOf(token)).toBe(1_900_000_000_000);
    expect(expiryOf(`h.${encode({ sub: '1' })}.s`)).toBeNull();
    expect(expiryOf('no-token')).toBeNull();
  });
});
