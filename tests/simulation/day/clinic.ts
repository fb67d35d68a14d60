import { nearObject, openNearStorage } from '#tests/support/near-storage';
import type { World as BooksWorld } from '#worker/clinic/books';
import type { ClinicCalls } from '#worker/clinic/facade';
import type { Engine, Isolate } from '../engine/engine.ts';
import type { Counts } from './counts.ts';

/** From Worker to object, one way (ms). */
const TRIP_MS = 3;
/** The platform puts an object that does nothing out of memory after this (ms). */
const IDLE_MS = 10_000;

/** The platform's word for a call whose object ended. */
const cutOff = () =>
  Object.assign(new Error('Durable Object reset because its code was updated.'), { retryable: true });

export type DayObject = ReturnType<typeof dayObject>;

type Parts = {
  name: string;
  engine: Engine;
  counts: Counts;
  /** False: the platform loses this ring. */
  mayRing(): boolean;
  /** A turn of its clock has ended. */
  turned(): void;
} & Omit<BooksWorld, 'now'>;

/** A clinic's object with the platform around it: it rings its alarm, puts it out of memory, and may reset it. */
export function dayObject({ name, engine, counts, mayRing, turned, ...world }: Parts) {
  const near = openNearStorage();
  const isolate: Isolate = { name, life: 0 };
  let event: ReturnType<Engine['later']> | null = null;
  let usedAt = 0;
  let underWay = 0;
  let kept = new Map<string, unknown>();
  /** Of this object alone: rings, calls from a Worker, and how long its turns took (ms). */
  const own = { turns: 0, calls: 0, turnMs: 0 };

  const { sql } = near.storage;
  const counted: SqlStorage = Object.assign(Object.create(sql), {
    exec(text: string, ...values: SqlStorageValue[]) {
      const cursor = sql.exec(text, ...values);
      counts.statements += 1;
      counts.rowsWritten += cursor.rowsWritten;
      return cursor;
    },
  });
  const storage: DurableObjectStorage = Object.assign(Object.create(near.storage), {
    sql: counted,
    async setAlarm(at: number) {
      counts.rowsWritten += 1;
      await near.storage.setAlarm(at);
      if (event) engine.drop(event);
      event = engine.later(at - engine.now(), due);
    },
    async deleteAlarm() {
      await near.storage.deleteAlarm();
      if (event) engine.drop(event);
      event = null;
    },
  });
  const object = nearObject({ storage }, { ...world, now: engine.now });

  /** Out of memory with all that it kept there. */
  function forget(): void {
    object.reset();
    kept = new Map();
  }

  /** Each use begins with it, so that an object which was idle begins anew. */
  function used(): void {
    if (underWay === 0 && engine.now() - usedAt >= IDLE_MS) forget();
    usedAt = engine.now();
  }

  /** The platform forgets an alarm before it rings it. */
  function due(): void {
    event = null;
    near.takeAlarm();
    if (!mayRing()) return;
    used();
    underWay += 1;
    counts.alarms += 1;
    const from = engine.now();
    engine.start(
      `${name} turn ${own.turns++}`,
      isolate,
      async () => (await object.books()).alarm(),
      () => {
        underWay -= 1;
        usedAt = engine.now();
        counts.turnMs += engine.now() - from;
        own.turnMs += engine.now() - from;
        turned();
      },
    );
  }

  /** A call arrives unless the object ends meanwhile, and its answer comes back unless it ends then. */
  async function trip<T>(work: () => Promise<T>): Promise<T> {
    counts.calls += 1;
    own.calls += 1;
    const life = isolate.life;
    const answer = await engine.park(TRIP_MS, () => {
      if (isolate.life !== life) throw cutOff();
      used();
      return work();
    });
    return engine.park(TRIP_MS, () => {
      if (isolate.life !== life) throw cutOff();
      return answer;
    }) as Promise<T>;
  }

  const calls: ClinicCalls & {
    found(founding: { clinic: number; accountId: number }): Promise<void>;
    wake(): Promise<void>;
  } = {
    ask: (schema, asked) => trip(() => object.calls.ask(schema, asked)),
    migrate: (migrations) => trip(async () => object.calls.migrate(migrations)),
    found: (founding) => trip(async () => (await object.books()).found(founding)),
    wake: () => trip(async () => (await object.books()).wake()),
  };

  return {
    isolate,
    calls,
    own,
    read: near.read,
    memory: () => kept,
    bytes: () => near.storage.sql.databaseSize,
    /** UTC ms of the next ring; null: none. */
    alarmAt: () => near.alarmAt(),
    isBusy: () => underWay > 0,
    /** It ends in the midst of what it does, as a deployment does it, and begins anew with the next call. */
    reset() {
      engine.kill(isolate);
      underWay = 0;
      forget();
    },
  };
}
