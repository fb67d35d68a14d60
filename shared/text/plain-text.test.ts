import { expect, it } from 'vitest';
import { plainText } from './safe-text.ts';

it('removes bidirectional controls and keeps every other character', () => {
  expect(plainText('INV-1\u202e\u2067 $184.00\u2069')).toBe('INV-1 $184.00');
  expect(plainText('Núñez 木村 مريم <b>\u200f')).toBe('Núñez 木村 مريم <b>\u200f');
});
