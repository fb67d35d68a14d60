/** `html`: the clipboard content of a program; `expected`: the article's HTML after the paste and the sanitiser. */
export type Sample = { name: string; html: string; expected: string };
