import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

export type LogLine = { level: 'info' | 'alert'; event: string } & Record<string, string | number | boolean | null>;

/** Returns a reader of the Worker's log lines of a running product from now on. */
export function listenTo({ appUrl, state }: { appUrl: string; state: string }) {
  const file = path.join(state, 'product.log');
  const from = existsSync(file) ? statSync(file).size : 0;
  const text = () => (existsSync(file) ? readFileSync(file).subarray(from).toString() : '');
  /** Makes one more request and waits for its line. */
  const requestAndWait = async () => {
    const response = await fetch(`${appUrl}/app_url`);
    await response.text();
    const id = response.headers.get('x-request-id') ?? 'no id';
    await expect.poll(text).toContain(id);
  };
  return {
    /** Every line about the requests answered so far, unchanged. */
    async lines(): Promise<string[]> {
      await requestAndWait();
      // Alerts reach the log separately: those pending at the first response are logged by the second.
      await requestAndWait();
      return text().split('\n').filter(Boolean);
    },
  };
}

export const parseLog = (lines: string[]): LogLine[] => lines.map((line) => JSON.parse(line) as LogLine);
