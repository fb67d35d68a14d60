import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AnyMutant, isOfSchema, type PlannedMutant } from './all.ts';

/** A runtime's report on a test run: the mutant (0: none), the result, and the mutants that the test reached. */
export type TestReport = {
  file: string;
  test: string;
  worker: string;
  mutantId: number;
  hasFailed: boolean;
  message: string;
  reached: number[];
  ms: number;
};
/** A runtime's question if this test should run at all. */
export type TestQuery = { file: string; test: string };

/** The mutant for the next run of the same test. `next`: 0 without a mutant, null to stop. */
export type Assignment = { next: number | null; sql: string | null; entry: string; kind: string };

export type MutantResult = { id: number; state: 'alive' | 'killed'; by: string; tries: number; ms: number };

/** Time in ms after which the runtime of a mutant's test counts as hung. */
const HUNG_MS = 240_000;

/** A mutant that survives this many tests counts as alive: a test that covers the rule would be a nearby one. */
const MAX_TRIES = 40;
/** The same limit for module-level and schema mutants, for which it is unknown which tests reach them. */
const MAX_BLIND_TRIES = 150;
/** A slower test (ms) runs only in the last stage, on the mutants that quick tests left alive. */
const SLOW_MS = 4000;
const LAST_STAGE = 2;

const isBlind = (mutant: AnyMutant): boolean => isOfSchema(mutant) || mutant.isOfModule;

/**
 * Hands out mutants one by one to the tests that reach them, and records the fate of each. The first test that fails
 * with a mutant kills it, provided that the same test passes again without one.
 */
export class Broker {
  readonly fates = new Map<number, MutantResult>();
  readonly problems: string[] = [];
  readonly #plan: Map<number, PlannedMutant>;
  readonly #triedPairs = new Set<string>();
  readonly #slowTests = new Set<string>();
  #stage = -1;
  readonly #repeatability = new Map<string, boolean>();
  readonly #reachedByTest = new Map<string, Set<number>>();
  readonly #suspects = new Map<string, { id: number; message: string }>();
  readonly #running = new Map<string, { id: number; since: number; test: string; file: string }>();

  constructor(plan: PlannedMutant[]) {
    this.#plan = new Map(plan.map((planned) => [planned.id, planned]));
    for (const { id } of plan) this.fates.set(id, { id, state: 'alive', by: '', tries: 0, ms: 0 });
  }

  async listen(): Promise<{ url: string; close(): void }> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const message = JSON.parse(body) as TestReport | TestQuery;
        const answer = 'mutantId' in message ? this.handleReport(message) : { isWanted: this.isWanted(message) };
        response.end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
  }

  /** Starts the next stage. Returns false if there is none. */
  startNextStage(): boolean {
    this.#stage += 1;
    return this.#stage <= LAST_STAGE;
  }

  /** The test files of the stage that may still kill a mutant. */
  files(): string[] {
    return [...new Set(this.#alive().flatMap(({ stages }) => stages[this.#stage] ?? []))];
  }

  #alive(): PlannedMutant[] {
    const isOpen = ({ id, mutant }: PlannedMutant) => {
      const fate = this.fates.get(id);
      return fate?.state === 'alive' && fate.tries < (isBlind(mutant) ? MAX_BLIND_TRIES : MAX_TRIES);
    };
    return [...this.#plan.values()].filter(isOpen);
  }

  /** True if the test may still kill a mutant. */
  isWanted({ file, test }: TestQuery): boolean {
    const name = `${file} > ${test}`;
    return this.#reachedByTest.has(name)
      ? this.#candidates(file, name).length > 0
      : this.#alive().some(this.#isAssignedTo(file));
  }

  #isAssignedTo(file: string): (planned: PlannedMutant) => boolean {
    return ({ stages }) => stages[this.#stage]?.includes(file) === true;
  }

  handleReport(report: TestReport): Assignment {
    const test = `${report.file} > ${report.test}`;
    const suspect = this.#suspects.get(test);
    this.#running.delete(report.worker);
    const fate = this.fates.get(report.mutantId);
    if (fate) Object.assign(fate, { tries: fate.tries + 1, ms: fate.ms + report.ms });
    if (report.mutantId === 0 && suspect) {
      // This was the rerun without a mutant, after the test failed with one.
      this.#suspects.delete(test);
      this.#repeatability.set(test, !report.hasFailed);
      if (report.hasFailed) this.problems.push(`${test} cannot be repeated: ${report.message}`);
      else this.#kill(suspect.id, test);
    } else if (report.mutantId === 0) {
      this.#reachedByTest.set(test, new Set(report.reached));
      if (report.ms > SLOW_MS) this.#slowTests.add(test);
      if (report.hasFailed) this.problems.push(`${test} fails without a mutant: ${report.message}`);
    } else if (report.hasFailed) {
      if (this.#repeatability.get(test)) this.#kill(report.mutantId, test);
      else {
        this.#suspects.set(test, { id: report.mutantId, message: report.message });
        return this.#order(report, test, 0);
      }
    }
    const isSound = !(report.mutantId === 0 && report.hasFailed);
    return this.#order(report, test, isSound ? this.#takeNext(report.file, test) : null);
  }

  #order(report: TestReport, test: string, next: number | null): Assignment {
    if (next !== null) this.#running.set(report.worker, { id: next, since: Date.now(), test, file: report.file });
    const mutant = this.#plan.get(next ?? 0)?.mutant;
    if (!mutant || !isOfSchema(mutant)) return { next, sql: null, entry: '', kind: '' };
    return { next, sql: mutant.sql, entry: mutant.entry, kind: mutant.kind };
  }

  #takeNext(file: string, test: string): number | null {
    const runningIds = [...this.#running.values()].map(({ id }) => id);
    const next = this.#candidates(file, test).find(({ id }) => !runningIds.includes(id));
    if (next) this.#triedPairs.add(`${next.id} ${test}`);
    return next?.id ?? null;
  }

  #candidates(file: string, test: string): PlannedMutant[] {
    if (this.#stage < LAST_STAGE && this.#slowTests.has(test)) return [];
    const reached = this.#reachedByTest.get(test);
    const isReached = ({ id, mutant }: PlannedMutant) => isBlind(mutant) || reached?.has(id) === true;
    return this.#alive().filter(
      (planned) =>
        this.#isAssignedTo(file)(planned) && !this.#triedPairs.has(`${planned.id} ${test}`) && isReached(planned),
    );
  }

  #kill(id: number, by: string): void {
    Object.assign(this.fates.get(id) ?? {}, { state: 'killed', by });
  }

  /** Counts mutants whose runtimes hang as killed. Returns true if there was one; the caller then kills the process. */
  killHung(now = Date.now()): boolean {
    const hung = [...this.#running.entries()].filter(([, { since }]) => now - since > HUNG_MS);
    for (const [worker, { id, test }] of hung) {
      this.#running.delete(worker);
      this.#kill(id, `${test}: never ended`);
    }
    return hung.length > 0;
  }
}
