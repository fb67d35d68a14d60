import type { Reply, SerializedStatement, StatementResult } from './d1-interface.ts';
import { FIRST_MIGRATION, type Migration } from './migration.ts';
import { firstDue } from './next-alarm.ts';
import { asD1, createExecutor, messageOf } from './storage-as-d1.ts';

const DAY_MS = 86_400_000;
/**
 * A turn is one run of the alarm. Each turn first sets the next alarm this far ahead (ms), in case it does not finish.
 * This is also the maximum wait between turns.
 */
const RETRY_MS = 60_000;
/** The minimum time (ms) between a write and the alarm that it sets. */
const MIN_DELAY_MS = 500;
/**
 * If a turn leaves due work unfinished, the next turn waits this long (ms). The wait doubles with each further such
 * turn.
 */
const BACKOFF_MS = 1000;
/** The platform ends a turn after 15 minutes, so a turn that began longer ago than this (ms) is dead. */
const MAX_TURN_MS = 16 * 60_000;
/** An alarm that is overdue by more than this (ms) was lost by the platform. */
const LOST_AFTER_MS = 60_000;

/** `clinic`: the clinic's number in the directory. */
export type NewClinic = { clinic: number; accountId: number };
type StoredClinic = NewClinic & { schema: number };

/**
 * `schema`: the number of the newest applied migration; `bytes`: the database size; `alarmAt`: the next alarm, UTC ms.
 */
export type ClinicStatus = { schema: number; bytes: number; alarmAt: number | null };

export type BooksDeps = {
  /** The current time (UTC ms). */
  now(): number;
  /** All migrations in this version of the code. */
  migrations: readonly Migration[];
  /**
   * Does the work that is due. Returns the latest time for the next alarm (UTC ms) if that time is not stored in the
   * database.
   */
  ring(clinic: number, db: D1Database): Promise<number | undefined>;
  /** Reports an event that may affect money or a commitment. */
  alert(event: string, fields: Record<string, string | number>): void;
};

const TABLE = `CREATE TABLE IF NOT EXISTS clinic (
  number INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  founded_at INTEGER NOT NULL,
  schema INTEGER NOT NULL
) STRICT`;

const UNSUPPORTED_SCHEMA_TEXT =
  'The database of this clinic was made by a version before the first release, whose records cannot be brought up to date.';

/**
 * Removes comments and line breaks, because SQLite stores statements verbatim and parses all of them each time it opens
 * the database.
 */
const toOneLine = (sql: string): string =>
  sql.replace(/'(?:[^']|'')*'|(?:--[^\n]*|\s)+/g, (match) => (match.startsWith("'") ? match : ' '));

/** A clinic's database with its alarm, on top of the storage of its Durable Object. */
export class Books {
  readonly #storage: DurableObjectStorage;
  readonly #world: BooksDeps;
  readonly #execute: (statements: SerializedStatement[]) => StatementResult[];
  readonly #db: D1Database;
  #clinic: StoredClinic | null;
  /** The last known time of the alarm (UTC ms); 0 if none is set. */
  #alarmAt = 0;
  #isScheduling = false;
  /** The start of the current turn (UTC ms); 0 if none is running. */
  #turnStartedAt = 0;
  /** The number of consecutive turns that left work due, and the earliest time for the next turn. */
  #unfinishedTurns = 0;
  #notBefore = 0;

  constructor(storage: DurableObjectStorage, world: BooksDeps) {
    this.#storage = storage;
    this.#world = world;
    const watch = (_sql: string, _read: number, written: number) => written > 0 && this.#scheduleSoon();
    this.#execute = createExecutor(storage, watch);
    this.#db = asD1(storage, watch);
    this.#clinic = this.#founded();
  }

  /** Reads the alarm that an earlier instance of the object has set. */
  async open(): Promise<this> {
    this.#alarmAt = (await this.#storage.getAlarm()) ?? 0;
    return this;
  }

  /** Reads the clinic without writing, so that unused storage stays empty. */
  #founded(): StoredClinic | null {
    const { sql } = this.#storage;
    if (sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'clinic'").toArray().length === 0) return null;
    return (
      sql.exec<StoredClinic>('SELECT number AS clinic, account_id AS accountId, schema FROM clinic').toArray()[0] ??
      null
    );
  }

  ask(schema: number, statements: SerializedStatement[]): Reply {
    if (!this.#clinic) return { missing: true };
    // A newer schema is harmless, because migrations only add.
    if (this.#clinic.schema < schema) return { behind: this.#clinic.schema };
    try {
      return { done: this.#execute(statements) };
    } catch (cause) {
      return { error: messageOf(cause) };
    }
  }

  /**
   * Creates the clinic in one transaction, or brings an existing one up to date. The first write sets the alarm; until
   * then, the cron wakes the clinic like any silent one. Throws if the storage holds another clinic, or if a migration
   * fails.
   */
  found({ clinic, accountId }: NewClinic): void {
    const { sql } = this.#storage;
    const { now, migrations } = this.#world;
    if (this.#clinic && (this.#clinic.clinic !== clinic || this.#clinic.accountId !== accountId))
      throw new Error(`this is clinic ${this.#clinic.clinic}, which is of another account than clinic ${clinic}`);
    if (this.#clinic) {
      this.migrate(migrations);
      return;
    }
    const schema = migrations.at(-1)?.number ?? 0;
    this.#storage.transactionSync(() => {
      sql.exec(TABLE);
      for (const migration of migrations) sql.exec(toOneLine(migration.sql));
      const row = 'INSERT INTO clinic (number, account_id, founded_at, schema) VALUES (?, ?, ?, ?)';
      sql.exec(row, clinic, accountId, now(), schema);
    });
    this.#clinic = { clinic, accountId, schema };
  }

  /**
   * Applies the pending migrations. Each runs in one transaction with the update of the schema number, so the next call
   * continues after a failure. Throws if the schema is from before the first release.
   */
  migrate(migrations: readonly Migration[]): void {
    const clinic = this.#clinic;
    if (!clinic) return;
    if (clinic.schema < FIRST_MIGRATION) throw new Error(UNSUPPORTED_SCHEMA_TEXT);
    const { sql } = this.#storage;
    for (const migration of migrations) {
      if (migration.number !== clinic.schema + 1) continue;
      this.#storage.transactionSync(() => {
        sql.exec(toOneLine(migration.sql));
        sql.exec('UPDATE clinic SET schema = ?', migration.number);
      });
      clinic.schema = migration.number;
      this.#scheduleSoon();
    }
  }

  /** Sets an alarm for the near future, in case the platform lost the last one. */
  async wake(): Promise<void> {
    if (!this.#clinic || this.#isTurnRunning()) return;
    this.#alarmAt = (await this.#storage.getAlarm()) ?? 0;
    this.#schedule(this.#world.now());
  }

  /** Returns null if no clinic exists here. */
  readStatus(): ClinicStatus | null {
    if (!this.#clinic) return null;
    const { sql } = this.#storage;
    return { schema: this.#clinic.schema, bytes: sql.databaseSize, alarmAt: this.#alarmAt || null };
  }

  /** Deletes everything, including the alarm. */
  async erase(): Promise<void> {
    this.#clinic = null;
    this.#alarmAt = 0;
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }

  /**
   * Does the work that is due. Never throws, because the platform drops the alarm for good after several failed tries.
   */
  async alarm(): Promise<void> {
    const clinic = this.#clinic;
    if (!clinic) return;
    const { now, alert } = this.#world;
    const isFree = !this.#isTurnRunning();
    if (isFree) this.#turnStartedAt = now();
    const startedAt = this.#turnStartedAt;
    let nextAt: number | undefined;
    try {
      // The alarm is set first, because the object may not survive this turn or the one that is running.
      this.#alarmAt = now() + RETRY_MS;
      await this.#storage.setAlarm(this.#alarmAt);
      if (!isFree) return;
      // The code may be newer than it was at the last call.
      this.migrate(this.#world.migrations);
      nextAt = await this.#world.ring(clinic.clinic, this.#db);
    } catch (cause) {
      alert('clinic-turn-failed', { clinic: clinic.clinic, cause: messageOf(cause) });
    }
    // Another turn considered this one dead and replaced it; that turn sets the alarm.
    if (this.#turnStartedAt !== startedAt) return;
    this.#turnStartedAt = 0;
    if (this.#clinic) this.#scheduleAfterTurn(nextAt);
  }

  #isTurnRunning(): boolean {
    return this.#turnStartedAt > 0 && this.#world.now() - this.#turnStartedAt < MAX_TURN_MS;
  }

  #scheduleAfterTurn(nextAt: number | undefined): void {
    const now = this.#world.now();
    this.#unfinishedTurns = this.#due() <= now ? Math.min(this.#unfinishedTurns + 1, 7) : 0;
    this.#notBefore = this.#unfinishedTurns && now + Math.min(RETRY_MS, BACKOFF_MS * 2 ** (this.#unfinishedTurns - 1));
    // Discards the safety alarm from the start of this turn.
    this.#alarmAt = 0;
    this.#schedule(nextAt);
  }

  /** Sets the alarm in a microtask, so that it is committed with the write and no claim is sent without an alarm. */
  #scheduleSoon(): void {
    if (this.#isScheduling || this.#isTurnRunning()) return;
    this.#isScheduling = true;
    queueMicrotask(() => {
      this.#isScheduling = false;
      if (this.#clinic && !this.#isTurnRunning()) this.#schedule();
    });
  }

  #due(): number {
    const { now, alert } = this.#world;
    try {
      return firstDue(this.#storage.sql);
    } catch (cause) {
      const message = messageOf(cause);
      // A table is missing while the database is behind this code; the next turn applies the migrations.
      if (!message.startsWith('no such ')) alert('clinic-clock-failed', { cause: message });
      return now() + RETRY_MS;
    }
  }

  /**
   * Sets the alarm for the first work that is due, but at most a day ahead, since some daily work is not in the
   * database.
   */
  #schedule(nextAt = Number.POSITIVE_INFINITY): void {
    const now = this.#world.now();
    const soonest = Math.max(now + MIN_DELAY_MS, this.#notBefore);
    const isSetBy = (at: number) => this.#alarmAt > now - LOST_AFTER_MS && this.#alarmAt <= at;
    // No work can be due before this alarm.
    if (isSetBy(soonest)) return;
    const at = Math.max(Math.min(this.#due(), nextAt, now + DAY_MS), soonest);
    // An earlier alarm stays, so that an alarm cannot be postponed forever. It finds nothing to do and sets the next
    // one.
    if (!isSetBy(at)) this.#set(at);
  }

  /** The alarm is committed with the writes of the same turn of the event loop. */
  #set(at: number): void {
    this.#alarmAt = at;
    void this.#storage.setAlarm(at);
  }
}
