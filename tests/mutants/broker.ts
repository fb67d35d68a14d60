import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AnyMutant, isOfSchema, type Planned } from './all.ts';

/** A runtime's report on a test run: the mutant (0: none), the result, and the mutants that the test reached. */
export type Told = {
  file: string;
  test: string;
  worker: string;
  ran: number;
  failed: boolean;
  message: string;
  reached: number[];
  ms: number;
};
/** A runtime's query if this test should run at all. */
export type Asked = { file: string; test: string };

/** The mutant for the next run of the same test. `next`: 0 without a mutant, null to stop. */
export type Order = { next: number | null; sql: string | null; entry: string; kind: string };

export type Fate = { id: number; state: 'alive' | 'killed'; by: string; tries: number; ms: number };

/** Longest time that a mutant's test may run before its runtime counts as hung. */
const SILENT_MS = 240_000;

/** A mutant that survives this many tests counts as alive: if any test covers a rule, it is a nearby one. */
const MOST_TRIES = 40;
/** The same for module-level and schema mutants: which tests reach them is unknown. */
const MOST_BLIND_TRIES = 150;
/** A slower test (ms) runs only in the last stage, on the mutants that quick tests left alive. */
const SLOW_MS = 4000;
const LAST = 2;

const isBlind = (mutant: AnyMutant): boolean => isOfSchema(mutant) || mutant.isOfModule;

/**
 * Hands out mutants one by one to the tests that reach them, and records each one's fate. The first test that fails
 * with a mutant kills it, provided that the same test passes again without one.
 */
export class Broker {
  readonly fates = new Map<number, Fate>();
  readonly broken: string[] = [];
  readonly #plan: Map<number, Planned>;
  readonly #tried = new Set<string>();
  readonly #slow = new Set<string>();
  #stage = -1;
  readonly #repeats = new Map<string, boolean>();
  readonly #reached = new Map<string, Set<number>>();
  readonly #suspects = new Map<string, { id: number; message: string }>();
  readonly #busy = new Map<string, { id: number; since: number; test: string; file: string }>();

  constructor(plan: Planned[]) {
    this.#plan = new Map(plan.map((one) => [one.id, one]));
    for (const { id } of plan) this.fates.set(id, { id, state: 'alive', by: '', tries: 0, ms: 0 });
  }

  async listen(): Promise<{ url: string; close(): void }> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const told = JSON.parse(body) as Told | Asked;
        response.end(JSON.stringify('ran' in told ? this.hear(told) : { isWanted: this.isWanted(told) }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
  }

  /** Starts the next stage. False if there is none. */
  goOn(): boolean {
    this.#stage += 1;
    return this.#stage <= LAST;
  }

  /** The test files of the stage that may still kill a mutant. */
  files(): string[] {
    return [...new Set(this.#alive().flatMap(({ stages }) => stages[this.#stage] ?? []))];
  }

  #alive(): Planned[] {
    const isOpen = ({ id, mutant }: Planned) => {
      const fate = this.fates.get(id);
      return fate?.state === 'alive' && fate.tries < (isBlind(mutant) ? MOST_BLIND_TRIES : MOST_TRIES);
    };
    return [...this.#plan.values()].filter(isOpen);
  }

  /** True if a mutant is left that the test may kill. */
  isWanted({ file, test }: Asked): boolean {
    const name = `${file} > ${test}`;
    return this.#reached.has(name) ? this.#meets(file, name).length > 0 : this.#alive().some(this.#isMetBy(file));
  }

  #isMetBy(file: string): (one: Planned) => boolean {
    return ({ stages }) => stages[this.#stage]?.includes(file) === true;
  }

  hear(told: Told): Order {
    const test = `${told.file} > ${told.test}`;
    const suspect = this.#suspects.get(test);
    this.#busy.delete(told.worker);
    const fate = this.fates.get(told.ran);
    if (fate) Object.assign(fate, { tries: fate.tries + 1, ms: fate.ms + told.ms });
    if (told.ran === 0 && suspect) {
      // This was the rerun without a mutant, after the test failed with one.
      this.#suspects.delete(test);
      this.#repeats.set(test, !told.failed);
      if (told.failed) this.broken.push(`${test} cannot be repeated: ${told.message}`);
      else this.#kill(suspect.id, test);
    } else if (told.ran === 0) {
      this.#reached.set(test, new Set(told.reached));
      if (told.ms > SLOW_MS) this.#slow.add(test);
      if (told.failed) this.broken.push(`${test} fails without a mutant: ${told.message}`);
    } else if (told.failed) {
      if (this.#repeats.get(test)) this.#kill(told.ran, test);
      else {
        this.#suspects.set(test, { id: told.ran, message: told.message });
        return this.#order(told, test, 0);
      }
    }
    const isSound = !(told.ran === 0 && told.failed);
    return this.#order(told, test, isSound ? this.#nextFor(told.file, test) : null);
  }

  #order(told: Told, test: string, next: number | null): Order {
    if (next !== null) this.#busy.set(told.worker, { id: next, since: Date.now(), test, file: told.file });
    const mutant = this.#plan.get(next ?? 0)?.mutant;
    if (!mutant || !isOfSchema(mutant)) return { next, sql: null, entry: '', kind: '' };
    return { next, sql: mutant.sql, entry: mutant.entry, kind: mutant.kind };
  }

  #nextFor(file: string, test: string): number | null {
    const busy = [...this.#busy.values()].map(({ id }) => id);
    const next = this.#meets(file, test).find(({ id }) => !busy.includes(id));
    if (next) this.#tried.add(`${next.id} ${test}`);
    return next?.id ?? null;
  }

  #meets(file: string, test: string): Planned[] {
    if (this.#stage < LAST && this.#slow.has(test)) return [];
    const reached = this.#reached.get(test);
    const isReached = ({ id, mutant }: Planned) => isBlind(mutant) || reached?.has(id) === true;
    return this.#alive().filter(
      (one) => this.#isMetBy(file)(one) && !this.#tried.has(`${one.id} ${test}`) && isReached(one),
    );
  }

  #kill(id: number, by: string): void {
    Object.assign(this.fates.get(id) ?? {}, { state: 'killed', by });
  }

  /** Counts mutants as killed whose runtimes hang. True if there was one; its process must then be killed. */
  endSilent(now = Date.now()): boolean {
    const silent = [...this.#busy.entries()].filter(([, { since }]) => now - since > SILENT_MS);
    for (const [worker, { id, test }] of silent) {
      this.#busy.delete(worker);
      this.#kill(id, `${test}: without an end`);
    }
    return silent.length > 0;
  }
}
