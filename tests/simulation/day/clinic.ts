import { nearObject, openNearStorage } from '#tests/support/near-storage';
import type { ClinicCalls } from '#worker/clinic/d1-interface';
import type { BooksDeps as BooksWorld } from '#worker/clinic/database-and-alarm';
import type { Engine, Isolate } from '../engine/engine.ts';
import type { Counts } from './counts.ts';

/** Duration of a call from Worker to object, one way (ms). */
const TRIP_MS = 3;
/** Idle time after which the platform evicts an object from memory (ms). */
const IDLE_MS = 10_000;

/** The platform's error for a call whose object was reset. */
const resetError = () =>
  Object.assign(new Error('Durable Object reset because its code was updated.'), { retryable: true });

export type DayObject = ReturnType<typeof dayObject>;

type Parts = {
  name: string;
  engine: Engine;
  counts: Counts;
  /** False if the platform loses this alarm. */
  mayRing(): boolean;
  /** Called after each alarm turn. */
  onTurnEnd(): void;
} & Omit<BooksWorld, 'now'>;

/** A clinic's object with the platform around it, which fires its alarm, evicts it and may reset it. */
export function dayObject({ name, engine, counts, mayRing, onTurnEnd, ...world }: Parts) {
  const nearStorage = openNearStorage();
  const isolate: Isolate = { name, life: 0 };
  let event: ReturnType<Engine['later']> | null = null;
  let lastUsedAt = 0;
  let activeCalls = 0;
  let memory = new Map<string, unknown>();
  /** Counts of this object: turns, calls from a Worker, and total duration of its turns (ms). */
  const totals = { turns: 0, calls: 0, turnMs: 0 };

  const { sql } = nearStorage.storage;
  const countedSql: SqlStorage = Object.assign(Object.create(sql), {
    exec(text: string, ...values: SqlStorageValue[]) {
      const cursor = sql.exec(text, ...values);
      counts.statements += 1;
      counts.rowsWritten += cursor.rowsWritten;
      return cursor;
    },
  });
  const storage: DurableObjectStorage = Object.assign(Object.create(nearStorage.storage), {
    sql: countedSql,
    async setAlarm(at: number) {
      counts.rowsWritten += 1;
      await nearStorage.storage.setAlarm(at);
      if (event) engine.cancel(event);
      event = engine.later(at - engine.now(), alarmDue);
    },
    async deleteAlarm() {
      await nearStorage.storage.deleteAlarm();
      if (event) engine.cancel(event);
      event = null;
    },
  });
  const object = nearObject({ storage }, { ...world, now: engine.now });

  /** Evicts the object with its memory. */
  function evict(): void {
    object.reset();
    memory = new Map();
  }

  /** Called before each use, so that an idle object starts with empty memory. */
  function beginUse(): void {
    if (activeCalls === 0 && engine.now() - lastUsedAt >= IDLE_MS) evict();
    lastUsedAt = engine.now();
  }

  /** Removes the stored alarm before it fires, as the platform does. */
  function alarmDue(): void {
    event = null;
    nearStorage.takeAlarm();
    if (!mayRing()) return;
    beginUse();
    activeCalls += 1;
    counts.alarms += 1;
    const from = engine.now();
    engine.start(
      `${name} turn ${totals.turns++}`,
      isolate,
      async () => (await object.books()).alarm(),
      () => {
        activeCalls -= 1;
        lastUsedAt = engine.now();
        counts.turnMs += engine.now() - from;
        totals.turnMs += engine.now() - from;
        onTurnEnd();
      },
    );
  }

  /** A call fails if the object is reset before it arrives or before its answer returns. */
  async function trip<T>(work: () => Promise<T>): Promise<T> {
    counts.calls += 1;
    totals.calls += 1;
    const life = isolate.life;
    const answer = await engine.park(TRIP_MS, () => {
      if (isolate.life !== life) throw resetError();
      beginUse();
      return work();
    });
    return engine.park(TRIP_MS, () => {
      if (isolate.life !== life) throw resetError();
      return answer;
    }) as Promise<T>;
  }

  const calls: ClinicCalls & {
    found(founding: { clinic: number; accountId: number }): Promise<void>;
    wake(): Promise<void>;
  } = {
    ask: (schema, statements) => trip(() => object.calls.ask(schema, statements)),
    migrate: (migrations) => trip(async () => object.calls.migrate(migrations)),
    found: (founding) => trip(async () => (await object.books()).found(founding)),
    wake: () => trip(async () => (await object.books()).wake()),
  };

  return {
    isolate,
    calls,
    totals,
    read: nearStorage.read,
    memory: () => memory,
    bytes: () => nearStorage.storage.sql.databaseSize,
    /** UTC ms of the next alarm; null if there is none. */
    alarmAt: () => nearStorage.alarmAt(),
    isBusy: () => activeCalls > 0,
    /** Kills the object in the middle of its work, like a deployment; the next call restarts it. */
    reset() {
      engine.kill(isolate);
      activeCalls = 0;
      evict();
    },
  };
}
