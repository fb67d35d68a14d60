import { describe, expect, it } from 'vitest';
import { operator } from '#shared/operator';
import { isGuessable } from './password.ts';

const isRefused = isGuessable('olga@clinic.example', 'Olga Reyes');

describe('a new password', () => {
  it.each([
    ['a frequent one without any pattern', 'klbik87987974'],
    ['a frequent one in capitals and with spaces', 'Riki Tiki TAVI'],
    ['a common word with digits', 'Welcome20262026'],
    ['a season and a year', 'Summer2031!!'],
    ['a phrase that everybody knows', 'correct horse battery staple'],
    ['the owner’s name and little more', 'Olga-Reyes-2026'],
    ['the product’s name and little more', `${operator.name}${operator.name}12!`],
    ['a row of keys', 'qwertyuiopas'],
    ['one piece, repeated', 'abc1abc1abc1'],
  ])('is rejected when it is %s', (_title, password) => {
    expect(isRefused(password)).toBe(true);
  });

  it.each(['eleven gentle otters', 'ünïcode über alles!', 'only lower case words', '829451730264', 'xxxxx pqzwv!'])(
    'needs no particular kind of character: %s',
    (password) => {
      expect(isRefused(password)).toBe(false);
    },
  );
});
