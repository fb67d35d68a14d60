import { expect, it } from 'vitest';
import { passwordProblem } from './password-rule.ts';

it.each([
  ['nothing', undefined, 'Please use at least 12 characters.'],
  ['eleven characters', 'eleven char', 'Please use at least 12 characters.'],
  ['twelve characters', 'twelve chars', null],
  ['eleven characters of two code units each', '🦦'.repeat(11), 'Please use at least 12 characters.'],
  ['twelve characters of two code units each', '🦦'.repeat(12), null],
  ['the maximum length', 'x'.repeat(128), null],
  ['one character too many', 'x'.repeat(129), 'Please use at most 128 characters.'],
])('a password of %s gets the expected verdict', (_name, password, problem) => {
  expect(passwordProblem(password)).toBe(problem);
});

it('a guessable password is rejected at any length', () => {
  expect(passwordProblem('correct horse', (text) => text === 'correct horse')).toBe(
    'This password is too easy to guess.',
  );
});
