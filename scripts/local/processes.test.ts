import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { entryOf, run } from './processes.ts';

it.each(['wrangler', 'astro'])('%s resolves to a JavaScript file that Node runs without a shell', (name) => {
  const [entry = ''] = entryOf(name);
  expect(entry).toMatch(/\.m?js$/);
  expect(existsSync(entry)).toBe(true);
});

it('runs a tool on the same Node and reports its output when it fails', async () => {
  const check = `if (process.execPath !== ${JSON.stringify(process.execPath)}) process.exit(1)`;
  await run('node', ['-e', check]);
  await expect(run('node', ['-e', 'console.log("why"); process.exit(3)'])).rejects.toThrow(/why/);
  expect(() => entryOf('tillway')).toThrow();
});
