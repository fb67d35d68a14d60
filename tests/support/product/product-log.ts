import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

export type LogLine = { level: 'info' | 'alert'; event: string } & Record<string, string | number | boolean | null>;

/** What the Worker of a running product logs from now on. */
export function listenTo({ appUrl, state }: { appUrl: string; state: string }) {
  const file = path.join(state, 'product.log');
  const from = existsSync(file) ? statSync(file).size : 0;
  const text = () => (existsSync(file) ? readFileSync(file).subarray(from).toString() : '');
  /** One more request, until its own line is there. */
  const turn = async () => {
    const response = await fetch(`${appUrl}/app_url`);
    await response.text();
    const id = response.headers.get('x-request-id') ?? 'no id';
    await expect.poll(text).toContain(id);
  };
  return {
    /** Every line of what was answered up to now, as it stands there. */
    async lines(): Promise<string[]> {
      await turn();
      // Alerts come by another way than all else: what was under way with the first answer is there with the second.
      await turn();
      return text().split('\n').filter(Boolean);
    },
  };
}

export const parsed = (lines: string[]): LogLine[] => lines.map((line) => JSON.parse(line) as LogLine);
