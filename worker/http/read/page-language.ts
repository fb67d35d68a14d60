import type { Context } from 'hono';
import {
  inLanguage,
  LANGUAGE_PARAMETER,
  type Language,
  otherLanguage,
  pageLanguage,
  readLanguage,
} from '#shared/words/language';

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
