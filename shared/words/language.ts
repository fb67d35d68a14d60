/** The supported payer languages. */
export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];

/** Values for `lang` in HTML. Spanish is US Spanish, whose money format matches the bill. */
export const htmlLang = { en: 'en', es: 'es-US' } as const satisfies Record<Language, string>;
/** Locales for Intl. */
export const locales = { en: 'en-US', es: 'es-US' } as const satisfies Record<Language, string>;
/** The name of each language in that language. */
export const languageNames = { en: 'English', es: 'Español' } as const satisfies Record<Language, string>;

export const otherLanguages = (language: Language): Language[] => languages.filter((other) => other !== language);

/** Parses a tag such as "en", "EN-us" or "en_US". Null if the language is not supported. */
export function readLanguage(tag: string | null | undefined): Language | null {
  const [primary] = (tag ?? '').trim().toLowerCase().split(/[-_]/);
  return languages.find((language) => language === primary) ?? null;
}

/** Returns the first supported language in `Accept-Language`, by quality and then position; quality 0 excludes. */
export function acceptedLanguage(header: string | null | undefined): Language | null {
  const offers = (header ?? '').split(',', 50).map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((text) => /^q=/i.test(text));
    return { language: readLanguage(tag), quality: quality ? Number(quality.slice(2)) : 1 };
  });
  const [best] = offers
    .filter(({ language, quality }) => language && quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return best?.language ?? null;
}

/** The name of the language parameter in a URL. */
export const LANGUAGE_PARAMETER = 'lang';

type LanguagePreferences = {
  /** `?lang=` of the URL. */
  requested?: string | null | undefined;
  /** The `Accept-Language` header. */
  acceptHeader?: string | null | undefined;
  /** The account's setting for all its payers. */
  account?: string | null | undefined;
};

/** The language of a page: from the URL, else the browser, else the account, else English. Not stored in a cookie. */
export const pageLanguage = ({ requested, acceptHeader, account }: LanguagePreferences): Language =>
  readLanguage(requested) ?? acceptedLanguage(acceptHeader) ?? readLanguage(account) ?? 'en';

/**
 * The language of an email: the contact's language in the CRM, else the language of the page of the last payment
 * attempt, else the account's, else English.
 */
export const mailLanguage = (contact: string | undefined, visit: string | undefined, account: string): Language =>
  readLanguage(contact) ?? readLanguage(visit) ?? readLanguage(account) ?? 'en';

/** Adds a language to a path. Null leaves it unchanged. */
export const withLanguage = (path: string, language: Language | null): string =>
  language ? `${path}${path.includes('?') ? '&' : '?'}${LANGUAGE_PARAMETER}=${language}` : path;

/** Returns a URL for an email or a printed page. English is omitted because it is the final default. */
export const withNonDefaultLanguage = (path: string, language: Language): string =>
  withLanguage(path, language === 'en' ? null : language);
