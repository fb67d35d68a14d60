import { expect, test } from 'vitest';
import { run } from './processes.ts';
import { reasonOf } from './report-build.ts';

test('reduces a tool’s output to its error text', () => {
  const output = `astro build failed:
  03:21:33 [WARN] [config] Shiki uses inline styles.
  03:21:34 [build] directory: ${process.cwd()}/site-next/
  03:21:34 [build] ✓ Completed in 355ms.

  Failed to get static paths from ${process.cwd()}/site/pages (500: Internal Server Error).
  Error: a post has no address that could be used: Bad Slug
      at async Object.fetch (file://${process.cwd()}/node_modules/miniflare/dist/entry.worker.js:5347:22)
    Location:
      ${process.cwd()}/node_modules/miniflare/dist/entry.worker.js:5347:22`;
  expect(reasonOf(new Error(output))).toBe(
    'astro build failed: Failed to get static paths from site/pages (500: Internal Server Error). Error: a post has no address that could be used: Bad Slug',
  );
});

test('keeps the file and line of a compile error', () => {
  const output = `astro build failed:
  15:51:50 [ERROR] [vite] ✗ Build failed in 2.75s
  [CompilerError] Unexpected token
    Location:
      ${process.cwd()}/site/pages/terms.astro:2:15
    Stack trace:
      at handleCompileResultErrors (file://${process.cwd()}/node_modules/astro/dist/core/compile/compile.js:73:11)`;
  expect(reasonOf(new Error(output))).toBe(
    'astro build failed: [ERROR] [vite] ✗ Build failed in 2.75s [CompilerError] Unexpected token site/pages/terms.astro:2:15',
  );
});

test('keeps our own reason as it is and drops output without an error', () => {
  expect(reasonOf(new Error('the build contains no Worker'))).toBe('the build contains no Worker');
  expect(reasonOf(new Error('astro build was ended by SIGKILL:\n  [build] output: "server"'))).toBe(
    'astro build was ended by SIGKILL',
  );
  expect(reasonOf('x'.repeat(2000))).toHaveLength(500);
});

test.skipIf(process.platform === 'win32')('reports a killed tool as killed', async () => {
  const killed = run('node', ['-e', 'process.kill(process.pid, "SIGKILL")']);
  await expect(killed).rejects.toThrow(/^node -e was ended by SIGKILL:/);
});
