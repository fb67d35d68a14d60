import type { Reader } from './parse-response.ts';

/** Reads a reply without a body. */
export const readEmptyBody: Reader<true> = (body) => (body === undefined ? true : null);
