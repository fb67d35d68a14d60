/** The languages that payers are addressed in. */
export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];

/** For `lang` in HTML. Spanish is that of the United States, whose money and dates are written as the bill has them. */
export const htmlLang = { en: 'en', es: 'es-US' } as const satisfies Record<Language, string>;
/** For Intl. */
export const locales = { en: 'en-US', es: 'es-US' } as const satisfies Record<Language, string>;
/** Each language in its own word. */
export const languageNames = { en: 'English', es: 'Español' } as const satisfies Record<Language, string>;

export const otherLanguage = (language: Language): Language => (language === 'en' ? 'es' : 'en');

/** `en` of "en", "EN-us" or "en_US"; null of a language that payers are not addressed in. */
export function readLanguage(tag: string | null | undefined): Language | null {
  const [primary] = (tag ?? '').trim().toLowerCase().split(/[-_]/);
  return languages.find((language) => language === primary) ?? null;
}

/** The first of ours in an `Accept-Language` header, by quality and then by place; quality 0 refuses. */
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

/** The value of `?lang=` in an address. */
export const LANGUAGE_PARAMETER = 'lang';

type Wishes = {
  /** `?lang=` of the address. */
  asked?: string | null | undefined;
  /** The `Accept-Language` header. */
  accepts?: string | null | undefined;
  /** What the account has set for all its payers. */
  account?: string | null | undefined;
};

/** The language of a page: the address's, else the browser's, else the account's, else English. No cookie remembers it. */
export const pageLanguage = ({ asked, accepts, account }: Wishes): Language =>
  readLanguage(asked) ?? acceptedLanguage(accepts) ?? readLanguage(account) ?? 'en';

/**
 * The language of a mail: the CRM's of the contact, else that of the page by which they paid or last tried to, else the
 * account's, else English.
 */
export const mailLanguage = (contact: string | undefined, visit: string | undefined, account: string): Language =>
  readLanguage(contact) ?? readLanguage(visit) ?? readLanguage(account) ?? 'en';

/** An address in a chosen language; null: as it is. */
export const inLanguage = (path: string, language: Language | null): string =>
  language ? `${path}${path.includes('?') ? '&' : '?'}${LANGUAGE_PARAMETER}=${language}` : path;

/** An address in a mail or on paper. Where none names a language a page is English at last, so English stays short. */
export const writtenIn = (path: string, language: Language): string =>
  inLanguage(path, language === 'en' ? null : language);
