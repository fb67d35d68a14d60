import type { Context } from 'hono';
import {
  inLanguage,
  LANGUAGE_PARAMETER,
  type Language,
  otherLanguage,
  pageLanguage,
  readLanguage,
} from '#shared/words/language';

/** The first that a user agent names; each later one calls itself by the names before it as well. */
const BROWSERS: [mark: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: [mark: RegExp, name: string][] = [
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
const LONGEST = 500;

/**
 * The browser of a request in words, such as "Firefox on Windows", by which a person knows their own; empty where it does
 * not say. It is for reading only: anybody can send any name.
 */
export function browserOf(c: Context): string {
  const agent = (c.req.header('user-agent') ?? '').slice(0, LONGEST);
  const [browser, system] = [BROWSERS, SYSTEMS].map((names) => names.find(([mark]) => mark.test(agent))?.[1]);
  return [browser, system].filter(Boolean).join(' on ');
}

/** The language that a page's address asks for. */
export const askedLanguage = (c: Context): Language | null => readLanguage(c.req.query(LANGUAGE_PARAMETER));

/** The language of a payer's page; `account`: what the business has set for all of its. */
export const languageOf = (c: Context, account?: string): Language =>
  pageLanguage({ asked: askedLanguage(c), accepts: c.req.header('accept-language'), account });

/** An address to which a page links: it keeps the language that the payer has chosen. */
export const keepingLanguage = (c: Context, path: string): string => inLanguage(path, askedLanguage(c));

/** The built page of a language. */
export const shellIn = (path: string, language: Language): string => `${path}-${language}`;

/** Pages that say one thing each; `state` of the fill chooses. */
export const STATE_SHELL = '/make/payment/state';

/** The address of this page in the other language. */
export const otherPage = (c: Context, language: Language): string =>
  inLanguage(new URL(c.req.url).pathname, otherLanguage(language));
