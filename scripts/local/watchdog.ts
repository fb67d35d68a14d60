import { createInterface } from 'node:readline';

/**
 * Outlives a start that was killed and ends its children: reads their process groups from the input, `+<id>` and
 * `-<id>`, one a line. The end of the input means that the start is gone.
 */
const groups = new Set<number>();

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const id = Number(line.slice(1));
  if (!Number.isInteger(id) || id < 2) continue;
  if (line.startsWith('+')) groups.add(id);
  else groups.delete(id);
}

for (const id of groups) {
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
