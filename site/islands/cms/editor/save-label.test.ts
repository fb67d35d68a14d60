import { expect, it } from 'vitest';
import { saveLabel } from '../texts.ts';

it.each([
  [null, 'DRAFT', false, 'Save draft'],
  ['DRAFT', 'DRAFT', false, 'Save draft'],
  [null, 'DRAFT', true, 'Schedule'],
  ['DRAFT', 'DRAFT', true, 'Schedule'],
  [null, 'PUBLISHED', false, 'Publish'],
  ['DRAFT', 'PUBLISHED', true, 'Publish'],
  ['PUBLISHED', 'PUBLISHED', false, 'Update'],
  ['PUBLISHED', 'DRAFT', true, 'Unpublish'],
] as const)('the save button from %s to %s (scheduled: %s) is labeled %s', (saved, chosen, isScheduled, label) => {
  expect(saveLabel(saved, chosen, isScheduled)).toBe(label);
});
