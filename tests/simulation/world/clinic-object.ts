import { type NearStorage, nearObject } from '#tests/support/near-storage';
import type { ClinicCalls } from '#worker/clinic/d1-interface';
import type { Migration } from '#worker/clinic/migration';
import type { Env } from '#worker/deps';
import type { Choices } from '../engine/choices.ts';
import { throughLine } from '../engine/database.ts';
import { perLife } from '../engine/each-life.ts';
import type { Engine, Isolate } from '../engine/engine.ts';
import type { Product } from '../product/load.ts';
import type { Course } from './course.ts';
import { ACCOUNT, CLINIC } from './setting.ts';
import type { databaseLines } from './storage.ts';
import type { Story } from './story.ts';

/** The migrations of a newer version of the code, which has one additional migration. */
export const newerMigrations = ({ clinicMigrations, CLINIC_SCHEMA }: Product): readonly Migration[] => [
  ...clinicMigrations,
  { number: CLINIC_SCHEMA + 1, sql: "ALTER TABLE payment_attempts ADD COLUMN newer TEXT NOT NULL DEFAULT ''" },
];

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

const DUE = `SELECT min(at) AS at FROM (
  SELECT min(next_check_at) AS at FROM payment_attempts WHERE next_check_at IS NOT NULL
  UNION ALL SELECT min(next_try_at) FROM outbox WHERE state = 'due'
  UNION ALL SELECT min(next_check_at) FROM reversals WHERE next_check_at IS NOT NULL
  UNION ALL SELECT min(next_at) FROM reconciliation_cursors)`;
/** Length of quiet time. */
export const QUIET_MS = 4 * DAY;

/** A period (UTC ms) without moves. */
export type IdleTime = { from: number; to: number };

export type ClinicObject = ReturnType<typeof clinicObject>;

type Parts = {
  /** Start of the run (UTC ms). */
  start: number;
  engine: Engine;
  choices: Choices;
  course: Course;
  story: Story;
  product: Product;
  storage: NearStorage;
  lines: ReturnType<typeof databaseLines>;
  /** Environment for the clinic's turns. */
  env(): Env;
  fault(name: string): void;
};

/** The clinic's object with its storage and the platform around it, which fires its alarm and may reset it. */
export function clinicObject(parts: Parts) {
  const { engine, choices, course, story, product, lines, fault } = parts;
  const nearStorage = parts.storage;
  const isolate: Isolate = { name: 'the object', life: 0 };
  let isNewer = false;
  let event: ReturnType<Engine['later']> | null = null;
  let lastTurnAt = parts.start;
  let alarms = 0;
  let quietFrom = Number.POSITIVE_INFINITY;
  let idleTimes: IdleTime[] = [];

  function pauseMs(): number {
    const age = engine.now() - quietFrom;
    if (age < 3 * HOUR) return age < 30 * MINUTE ? MINUTE : 15 * MINUTE;
    return age < DAY ? DAY / 8 : DAY / 2;
  }

  function scheduleAlarm(): void {
    if (event) engine.cancel(event);
    const at = nearStorage.alarmAt();
    event = at === null ? null : engine.later(Math.max(at, earliestTurn()) - engine.now(), alarmDue);
  }

  /**
   * Earliest time of the next turn (UTC ms). To save time, quiet and idle periods skip turns in which no payment,
   * mail or reversal is due; in quiet time the pauses grow.
   */
  function earliestTurn(): number {
    const now = engine.now();
    const idle = idleTimes.find(({ from, to }) => now > from && now < to);
    if (now < quietFrom && !idle) return 0;
    const [row] = nearStorage.read<{ at: number | null }>(DUE);
    if (now < quietFrom && idle) return Math.max(lastTurnAt + 15 * MINUTE, Math.min(row?.at ?? idle.to, idle.to));
    const due = lastTurnAt < quietFrom ? 0 : (row?.at ?? Number.POSITIVE_INFINITY);
    return Math.max(lastTurnAt + pauseMs(), Math.min(due, quietFrom + QUIET_MS));
  }

  /** Removes the stored alarm before it fires, as the platform does; the alarm may be lost or late. */
  function alarmDue(): void {
    event = null;
    nearStorage.takeAlarm();
    const name = `alarm ${Math.floor((engine.now() - parts.start) / MINUTE)} ${alarms++}`;
    const { isLost, ms } = course.alarm(name);
    if (isLost) {
      fault('alarm-lost');
      story.note('the platform', 'loses an alarm');
    } else if (ms === 0) ring(name);
    else engine.later(ms, () => ring(name));
  }

  function ring(name: string): void {
    lastTurnAt = engine.now();
    story.note(isolate.name, 'is rung');
    engine.start(
      name,
      isolate,
      async () => (await object.books()).alarm(),
      (result) => {
        if (result instanceof Error) story.note(isolate.name, `throws at its alarm: ${result.message}`);
      },
    );
  }

  const storage: DurableObjectStorage = Object.assign(Object.create(nearStorage.storage), {
    setAlarm: async (at: number) => {
      await nearStorage.storage.setAlarm(at);
      scheduleAlarm();
    },
  });
  // The product caches its objects by their environment, so each life gets a new one.
  const env = perLife(() => ({ ...parts.env() }));
  const object = nearObject(
    { storage },
    {
      now: engine.now,
      get migrations() {
        return isNewer ? newerMigrations(product) : product.clinicMigrations;
      },
      ring: (clinic, db) => product.ring(env.get(isolate), clinic, throughLine(db, lines.lineTo('own'))),
      alert: (event, fields) => story.alert(isolate.name, event, fields),
    },
  );

  const line = lines.lineTo('clinic');
  const calls: ClinicCalls & { found(): Promise<void>; wake(): Promise<void> } = {
    ask: (schema, statements) =>
      line({ statements: statements.map(({ sql }) => sql), execute: () => object.calls.ask(schema, statements) }),
    migrate: (migrations) => line({ statements: ['migrate'], execute: async () => object.calls.migrate(migrations) }),
    found: () =>
      line({
        statements: ['found'],
        execute: async () => (await object.books()).found({ clinic: CLINIC, accountId: ACCOUNT }),
      }),
    wake: () => line({ statements: ['wake'], execute: async () => (await object.books()).wake() }),
  };

  scheduleAlarm();
  return {
    isolate,
    /** Calls that the Worker may make, each over the simulated line. */
    calls,
    /** Fires the alarm now, in addition. */
    ring,
    /** Kills the object in the middle of its work; the next call starts a new life. */
    reset() {
      story.note(isolate.name, 'is reset');
      lines.cutOff(isolate, (key) => choices.choose(key, false, (random) => random.chance(0.5)));
      engine.kill(isolate);
      object.reset();
    },
    /** Runs the newer version from its next life on. */
    deploy() {
      isNewer = true;
    },
    /** Schedules the platform's alarm from the stored one. */
    scheduleAlarm,
    /** Sets the periods without moves. */
    setIdleTimes(times: IdleTime[]) {
      idleTimes = times;
    },
    becomeQuiet() {
      quietFrom = engine.now();
      scheduleAlarm();
    },
    pauseMs,
  };
}
