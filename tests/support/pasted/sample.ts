/** `html`: as a program puts it on the clipboard; `wanted`: the article's HTML after the paste and the sanitiser. */
export type Sample = { name: string; html: string; wanted: string };
