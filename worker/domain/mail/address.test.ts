import { expect, it } from 'vitest';
import { isSameAddress } from './address.ts';

it('recognizes an address in every spelling: letter case, spaces, and composed or decomposed letters', () => {
  expect(isSameAddress(' Jose\u0301@Maple.example ', 'jos\u00e9@maple.example')).toBe(true);
  expect(isSameAddress('jose@maple.example', 'jos\u00e9@maple.example')).toBe(false);
});
