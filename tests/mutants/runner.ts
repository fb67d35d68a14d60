import { env } from 'cloudflare:workers';
import { inject, type RunnerTestCase, TestRunner } from 'vitest';
import type { Assignment, TestQuery, TestReport } from './broker.ts';
import { reached, turnOn } from './switch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The broker's URL, which returns the next mutant. */
    mutantsUrl: string;
  }
}

const NONE: Assignment = { next: null, sql: null, entry: '', kind: '' };

type Entry = { name: string; sql: string };

/**
 * Runs each test once unchanged, and then again with each mutant that the broker assigns to it. A failed run with a
 * mutant is not a test failure.
 */
export default class MutantRunner extends TestRunner {
  #order: Assignment = NONE;
  #mutantId = 0;
  #startedAt = 0;
  #undo: string[] = [];
  readonly #worker = crypto.randomUUID();

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    this.#order = NONE;
    if (test.mode !== 'run' && test.mode !== 'queued') return;
    const { isWanted } = await send<{ isWanted: boolean }>({ file: test.file.name, test: nameOf(test) });
    if (!isWanted) Object.assign(test, { mode: 'skip' });
    // Vitest repeats a test as long as this is true.
    Object.assign(test, { retry: { count: 100_000, condition: () => this.#order.next !== null } });
  }

  override async onBeforeTryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): Promise<void> {
    super.onBeforeTryTask(test as never, options);
    this.#mutantId = this.#order.next ?? 0;
    this.#startedAt = performance.now();
    turnOn(this.#mutantId);
    if (this.#order.sql !== null) await this.#changeSchema(this.#order.entry, this.#order.sql);
  }

  /** Restores the schema before the afterEach hooks, which check the tables. */
  async onTaskFinished(): Promise<void> {
    if (this.#undo.length > 0) await env.DB.batch(this.#undo.splice(0).map((sql) => env.DB.prepare(sql)));
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: never): Promise<void> {
    await super.onAfterRetryTask(test as never, options);
    const { result } = test;
    if (!result || test.mode === 'skip' || result.state === 'skip') return;
    const hasFailed = result.state === 'fail';
    const report: TestReport = {
      file: test.file.name,
      test: nameOf(test),
      worker: this.#worker,
      mutantId: this.#mutantId,
      hasFailed,
      message: String(result.errors?.at(-1)?.message ?? '').slice(0, 300),
      reached: reached(),
      ms: Math.round(performance.now() - this.#startedAt),
    };
    const isFailureWithoutMutant = hasFailed && this.#mutantId === 0;
    turnOn(0);
    this.#order = await send<Assignment>(report);
    if (isFailureWithoutMutant) return;
    Object.assign(result, this.#order.next === null ? { state: 'pass', errors: undefined } : RETRY);
  }

  /** Recreates all triggers of the table, since triggers run in the order of their creation. */
  async #changeSchema(name: string, sql: string): Promise<void> {
    const { results } = await env.DB.prepare(
      `SELECT name, sql, type, tbl_name FROM sqlite_schema
       WHERE name = ?1 OR (type = 'trigger' AND tbl_name = (SELECT tbl_name FROM sqlite_schema WHERE name = ?1 AND type = 'trigger'))
       ORDER BY rowid`,
    )
      .bind(name)
      .all<Entry & { type: string }>();
    const drops = results.map((entry) => `DROP ${entry.type} ${entry.name}`);
    const creates = results.map((entry) => (entry.name === name ? sql : entry.sql));
    this.#undo = [...drops, ...results.map((entry) => entry.sql)];
    await env.DB.batch([...drops, ...creates].map((statement) => env.DB.prepare(statement)));
  }
}

async function send<Answer>(message: TestReport | TestQuery): Promise<Answer> {
  const answer = await fetch(inject('mutantsUrl'), { method: 'POST', body: JSON.stringify(message) });
  return (await answer.json()) as Answer;
}

/** The result that makes Vitest retry the test. */
const RETRY = { state: 'fail', errors: [{ name: 'Again', message: 'with the next mutant' }] };

function nameOf(test: RunnerTestCase): string {
  const names = [test.name];
  for (let suite = test.suite; suite && suite.name !== test.file.name; suite = suite.suite) names.unshift(suite.name);
  return names.join(' > ');
}
