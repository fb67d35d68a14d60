import type { Context } from 'hono';
import {
  LANGUAGE_PARAMETER,
  type Language,
  otherLanguages,
  pageLanguage,
  readLanguage,
  withLanguage,
} from '#shared/words/language';

/** Browsers in order of precedence. The first match counts, because user agents contain several names. */
const BROWSERS: [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: [pattern: RegExp, name: string][] = [
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
const MAX_LENGTH = 500;

/**
 * Returns the browser of a request for display, such as "Firefox on Windows", or an empty string if it is unknown. Do
 * not rely on it, because a client can send any name.
 */
export function browserOf(c: Context): string {
  const agent = (c.req.header('user-agent') ?? '').slice(0, MAX_LENGTH);
  const [browser, system] = [BROWSERS, SYSTEMS].map((names) => names.find(([pattern]) => pattern.test(agent))?.[1]);
  return [browser, system].filter(Boolean).join(' on ');
}

/** The language in the page's URL, or null. */
export const requestedLanguage = (c: Context): Language | null => readLanguage(c.req.query(LANGUAGE_PARAMETER));

/** The language of a payer page. `account`: the language that the business has set for all its payers. */
export const languageOf = (c: Context, account?: string): Language =>
  pageLanguage({ requested: requestedLanguage(c), acceptHeader: c.req.header('accept-language'), account });

/** Returns a link that keeps the language chosen by the payer. */
export const keepLanguage = (c: Context, path: string): string => withLanguage(path, requestedLanguage(c));

/** The path of a built page in a language. */
export const shellPathOf = (path: string, language: Language): string => `${path}-${language}`;

/** The path of the built page that holds one message per state; the filled-in `state` selects the message. */
export const STATE_SHELL = '/make/payment/state';

/** The URLs of this page in the other languages, by language. */
export const otherPages = (c: Context, language: Language): Record<string, string> =>
  Object.fromEntries(
    otherLanguages(language).map((other) => [other, withLanguage(new URL(c.req.url).pathname, other)]),
  );
