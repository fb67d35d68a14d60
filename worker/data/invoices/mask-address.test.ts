import { describe, expect, it } from 'vitest';
import { maskAddress } from './mask-address.ts';

const HOME = { address: '418 Maple St', city: 'Indianapolis', state: 'IN', zip: '46204' };

describe('a masked address', () => {
  it.each([
    ['418 Maple St', '46204', '4•• M•••• St, 46•••'],
    ['9 New Road', '46204-1234', '• N•• Road, 46••••••••'],
    ['  12  Calle   Núñez ', 'SW1A 1AA', '1• C•••• N••••, SW••••••'],
    ['Street 5', '1', 'S••••• •, 1'],
  ])(
    'of %j and %j shows the first letter of each word, the street type and two characters of the ZIP',
    (address, zip, masked) => {
      expect(maskAddress({ ...HOME, address, zip })).toBe(masked);
    },
  );

  it.each(['address', 'city', 'state', 'zip'])('is empty without the %s', (part) => {
    expect(maskAddress({ ...HOME, [part]: ' ' })).toBe('');
  });
});
