import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { textsOutside } from '#scripts/checks/payer-words';

const root = path.resolve(import.meta.dirname, '../..');

/** Strings that the specification words itself, and names of third parties. */
const EXEMPT = [
  /^Logout$/,
  /^Log Out$/,
  /^Login with CRM$/,
  /^Login failed$/,
  /^Refresh token failed try again or logout and back in\.$/,
];

/** One name per thing: each pattern with the word to write. */
const BANNED: [pattern: RegExp, write: string][] = [
  [/\bsign(?:s|ed|ing)?[- ](?:out|in)\b(?! another way)/i, 'log in, log out'],
  [/\bLog Out\b|\b[Ll]ogout\b|\blog-(?:in|out)\b/, 'Log out'],
  [/\bAMEX\b|\bDISCOVER\b|\bVISA\b|\bMASTERCARD\b/, 'American Express, Discover, Visa, Mastercard'],
  [/\b(?:[Pp]ictures?|[Pp]hotos?)\b/, 'image'],
  [/[Ll]et invoices be opened|[Pp]ayment in parts|[Pp]aid in parts/, 'partial payments'],
  [/\b[Pp]ay (?:links?|pages?)\b/, 'payment link, payment page'],
  [/\b(?:card|counter) terminals?\b/, 'card reader'],
  [/\bby (?:itself|themselves)\b/, 'automatically'],
  [/told of itself|[Ww]hom to call|is not told|[Ss]how (?:again )?that it is you|showed again who/, 'a plain sentence'],
  [/[Nn]ot yet proven|[Nn]ot proven|native speaker|[Nn]ot yet tested/, 'nothing: a caveat of the makers'],
  [
    /\b[Ww]hoever\b|\b[Ss]omebody\b|\banew\b|\bany more\.|\bgiven? back\b|\bgave back\b/,
    'anyone who, someone, again, no longer, refund',
  ],
];

const files = [
  'site/{islands,layouts,pages,sections,content}/**/*.{ts,tsx,astro}',
  'worker/{routes,domain,http}/**/*.ts',
  'shared/{text,words}/**/*.ts',
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !file.includes('.test.'))
  .sort();

const wrongIn = (file: string, source: string): string[] =>
  textsOutside(file, source).flatMap((line) => {
    const text = line.replace(/^\d+: /, '').replace(/\s+/g, ' ');
    if (EXEMPT.some((pattern) => pattern.test(text))) return [];
    return BANNED.filter(([pattern]) => pattern.test(text)).map(([, write]) => `${file}:${line}: write ${write}`);
  });

describe('texts on screens, in mails and in errors', () => {
  it('use one name per thing', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap((file) => wrongIn(file, readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
  });
});
