import { describe, expect, it } from 'vitest';
import { safeLink } from '../api/addresses.ts';

describe('safeLink', () => {
  it('accepts https addresses, and http addresses of the local machine', () => {
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
  ])('rejects %j', (address) => expect(safeLink(address)).toBeNull());
});
