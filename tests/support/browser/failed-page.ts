import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { RunnerTestCase } from 'vitest';
import type { LentContext } from './warm-contexts.ts';

const FOLDER = 'tests/.output/failed';

const slug = (text: string) => text.replace(/[^\w]+/g, '-').slice(0, 80);

/** Saves pictures, texts and console of a failed test, and its trace if tracing is on. */
export async function keepEvidence(task: RunnerTestCase, contexts: LentContext[], lines: string[]): Promise<void> {
  const name = path.basename(task.file.name, '.test.ts');
  const folder = path.join(FOLDER, `${slug(name)}-${slug(task.name)}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'console.txt'), lines.map((line) => `${line}\n`).join(''));
  for (const [at, { context, keeper }] of contexts.entries()) {
    const pages = context.pages().filter((page) => page !== keeper);
    await Promise.all(pages.map((page, number) => savePage(page, path.join(folder, `page-${at + 1}-${number + 1}`))));
    // A test may have closed the context itself.
    await context.tracing.stopChunk({ path: path.join(folder, `trace-${at + 1}.zip`) }).catch(() => undefined);
  }
  const trace = existsSync(path.join(folder, 'trace-1.zip'))
    ? `npx playwright-core show-trace ${folder}/trace-1.zip`
    : `for a trace: TRACE=1 npm test -- ${task.file.name} -t "${task.name}"`;
  console.log(`evidence of "${task.name}": ${folder} (${trace})`);
}

async function savePage(page: Page, file: string): Promise<void> {
  const [text] = await Promise.all([
    page.locator('body').innerText({ timeout: 2000 }).catch(String),
    page.screenshot({ path: `${file}.png`, fullPage: true, timeout: 5000 }).catch(() => undefined),
  ]);
  writeFileSync(`${file}.txt`, `${page.url()}\n\n${text}\n`);
  console.log(`${page.url()}\n${text.slice(0, 1500)}`);
}
