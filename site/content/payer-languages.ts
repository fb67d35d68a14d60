import { type Language, languages } from '#shared/words/language';

/** Each payer page is built once per language; the Worker chooses one. */
export const inEachLanguage = () => languages.map((language) => ({ params: { language }, props: { language } }));

export type InLanguage = { language: Language };
