import { describe, expect, it } from 'vitest';
import { endOf } from '#site/islands/ui/api/api-client.ts';
import { tokenIn } from './api.ts';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('access token', () => {
  it('is read from its cookie, not from one whose name only ends in the same way', () => {
    expect(tokenIn('a=1; authToken=x.y.z; b=2')).toBe('x.y.z');
    expect(tokenIn('myauthToken=x.y.z')).toBeNull();
    expect(tokenIn('authToken=')).toBeNull();
    expect(tokenIn('')).toBeNull();
  });

  it('contains its expiry time, which can be read even if the claims contain special characters', () => {
    const token = `h.${encode({ exp: 1_900_000_000, sub: '>>>???ü' })}.s`;
    expect(token).toMatch(/[-_]/);
    expect(endOf(token)).toBe(1_900_000_000_000);
    expect(endOf(`h.${encode({ sub: '1' })}.s`)).toBeNull();
    expect(endOf('no-token')).toBeNull();
  });
});
