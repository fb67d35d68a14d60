import { expect, test } from 'vitest';
import { withLocation } from './report-location.ts';

const errorAt = (message: string, loc?: object) => Object.assign(new Error(message), { loc });
const messageOf = (cause: unknown) => (withLocation(cause, '/home/me/tillway') as Error).message;

test('appends the source location to an error message exactly once', () => {
  const file = '/home/me/tillway/site/pages/terms.astro';
  const cause = errorAt('Unexpected token', { file, line: 2, column: 15 });
  expect(messageOf(cause)).toBe('Unexpected token\nsite/pages/terms.astro:2:15');
  expect(messageOf(cause)).toBe('Unexpected token\nsite/pages/terms.astro:2:15');
  expect(messageOf(errorAt('No such thing', { file: `${file}?astro&type=style`, line: 4 }))).toBe(
    'No such thing\nsite/pages/terms.astro:4:0',
  );
});

test('does not change an error without a location, or a value that is not an error', () => {
  expect(messageOf(errorAt('x'))).toBe('x');
  expect(messageOf(errorAt('x', { file: 'a.ts' }))).toBe('x');
  expect(withLocation('text', '/')).toBe('text');
});
