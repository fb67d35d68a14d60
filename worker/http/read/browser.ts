import type { Context } from 'hono';

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
