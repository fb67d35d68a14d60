import { describe, expect, it } from 'vitest';
import { safeLink } from '../api/addresses.ts';

describe('an address from outside', () => {
  it('is a link over https, and over http on this machine', () => {
    expect(safeLink('https://boarding.example/a?b=c')).toBe('https://boarding.example/a?b=c');
    expect(safeLink('http://localhost:8788/onboarding')).toBe('http://localhost:8788/onboarding');
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://boarding.example',
    'http://localhost.evil.example',
    '/x',
    '',
  ])('is no link as %j', (address) => expect(safeLink(address)).toBeNull());
});
