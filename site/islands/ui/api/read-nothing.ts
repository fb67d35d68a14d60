import type { Reader } from './parse-response.ts';

/** Reads an answer without a body. */
export const readNothing: Reader<true> = (body) => (body === undefined ? true : null);
