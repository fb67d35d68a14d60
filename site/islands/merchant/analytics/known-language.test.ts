import { expect, it } from 'vitest';
import { fixLanguage } from './known-language.ts';

it.each([
  ['en-US@posix', 'en-US'],
  ['C', 'en-US'],
  ['', 'en-US'],
  ['de-AT', 'de-AT'],
  ['pt', 'pt'],
])('fixLanguage changes the browser language %j to %s', (language, known) => {
  const browser = { language };
  fixLanguage(browser);
  expect(browser.language).toBe(known);
  expect(() => new Intl.NumberFormat(browser.language)).not.toThrow();
});
