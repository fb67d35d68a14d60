import type { ClientError } from './parse-response.ts';

/** For support: a sentence to search for, and the error's code. */
export function logFailure(sentence: string, { code, status }: ClientError): void {
  // biome-ignore lint/suspicious/noConsole: the browser's console is the log of what runs in it
  console.error(sentence, code, status);
}
