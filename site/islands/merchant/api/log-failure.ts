import type { ClientError } from './parse-response.ts';

/** For whoever supports this merchant: the sentence to search for, and the code of what went wrong. */
export function logFailure(sentence: string, { code, status }: ClientError): void {
  // biome-ignore lint/suspicious/noConsole: the browser's console is the log of what runs in it
  console.error(sentence, code, status);
}
