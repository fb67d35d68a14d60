import { expect, it } from 'vitest';
import { saveWord } from './save-word.ts';

it.each([
  [null, 'DRAFT', 'Save draft'],
  ['DRAFT', 'DRAFT', 'Save draft'],
  [null, 'PUBLISHED', 'Publish'],
  ['DRAFT', 'PUBLISHED', 'Publish'],
  ['PUBLISHED', 'PUBLISHED', 'Update'],
  ['PUBLISHED', 'DRAFT', 'Unpublish'],
] as const)('the button of what was %s and becomes %s says %s', (was, next, word) => {
  expect(saveWord(was, next)).toBe(word);
});
