import { type Language, languages } from '#shared/words/language';

/** Each page of a payer is built once in each language; the Worker chooses. */
export const inEachLanguage = () => languages.map((language) => ({ params: { language }, props: { language } }));

export type InLanguage = { language: Language };
