import { createInterface } from 'node:readline';

/**
 * Outlives a start that was killed and ends its children. Reads their process groups from stdin, `+<id>` and `-<id>`,
 * one per line. The end of stdin means that the start has ended.
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
