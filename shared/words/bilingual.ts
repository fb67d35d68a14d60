import type { Language } from './language.ts';

/** The names in braces of a phrase: `'from {b}'` has `'b'`. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type SameNames<A extends string, B extends string> = [Names<A>, Names<B>] extends [Names<B>, Names<A>]
  ? unknown
  : 'the two phrases have other names in braces';

/** A phrase in each payer language. */
export type Bilingual<English extends string = string> = { readonly en: English } & Readonly<
  Record<Exclude<Language, 'en'>, string>
>;

/** Creates a phrase in English and Spanish. Both must have the same names in braces. */
export const bilingual = <const English extends string, const Spanish extends string>(
  en: English,
  es: Spanish & SameNames<English, Spanish>,
): Bilingual<English> => ({ en, es });

declare const NAMES: unique symbol;
/** A phrase with names in braces. It is a string, but its type prevents display before fill(). */
export type Template<Name extends string> = { readonly [NAMES]: (name: Name) => void };

/** The phrases of one section of the catalogue, by key. */
export type WordSection = Readonly<Record<string, Bilingual>>;
export type WordsOf<R extends WordSection> = {
  readonly [Key in keyof R]: [Names<R[Key]['en']>] extends [never] ? string : Template<Names<R[Key]['en']>>;
};

/** Returns the phrases of a section in one language, as plain text for JSON. */
export const wordsIn = <R extends WordSection>(section: R, language: Language): WordsOf<R> =>
  Object.fromEntries(Object.entries(section).map(([key, phrase]) => [key, phrase[language]])) as WordsOf<R>;

const NAME = /\{(\w+)\}/g;

/** Fills the values into a phrase; braces within a value are unchanged. */
export const fill = <Name extends string>(template: Template<Name>, values: Record<Name, string>): string =>
  String(template).replace(NAME, (_all, name: Name) => values[name]);

/** Returns the text before and after the single name of a phrase, to put an element in its place. */
export function around<Name extends string>(template: Template<Name>): [before: string, after: string] {
  const [before = '', after = ''] = String(template).split(/\{\w+\}/);
  return [before, after];
}
