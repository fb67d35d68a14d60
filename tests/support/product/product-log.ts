import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

export type LogLine = { level: 'info' | 'alert'; event: string } & Record<string, string | number | boolean | null>;

/** The log of a running product's Worker from now on. */
export function listenTo({ appUrl, state }: { appUrl: string; state: string }) {
  const file = path.join(state, 'product.log');
  const from = existsSync(file) ? statSync(file).size : 0;
  const text = () => (existsSync(file) ? readFileSync(file).subarray(from).toString() : '');
  /** Makes one more request and waits for its line. */
  const turn = async () => {
    const response = await fetch(`${appUrl}/app_url`);
    await response.text();
    const id = response.headers.get('x-request-id') ?? 'no id';
    await expect.poll(text).toContain(id);
  };
  return {
    /** Every line about the requests answered so far, unchanged. */
    async lines(): Promise<string[]> {
      await turn();
      // Alerts take another way into the log: those under way at the first answer are there with the second.
      await turn();
      return text().split('\n').filter(Boolean);
    },
  };
}

export const parsed = (lines: string[]): LogLine[] => lines.map((line) => JSON.parse(line) as LogLine);
