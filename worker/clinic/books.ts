import { firstDue } from './due.ts';
import type { Answered, Asked, Reply } from './facade.ts';
import { FIRST_MIGRATION, type Migration } from './migration.ts';
import { asD1, executor, messageOf } from './storage-as-d1.ts';

const DAY_MS = 86_400_000;
/** The clock goes on after this (ms), whatever becomes of the turn that it has just begun. */
const AGAIN_MS = 60_000;
/** The least time (ms) from a write to the ring that it causes. */
const SOON_MS = 500;
/** After a turn that left something due, the next waits this long (ms); twice as long after each further one. */
const LEFT_MS = 1000;
/** The platform ends a turn after a quarter of an hour; one that is older (ms) is dead. */
const TURN_MS = 16 * 60_000;
/** An alarm that is later than this (ms) was lost by the platform. */
const LOST_MS = 60_000;

/** `clinic`: its number in the directory. */
export type Founding = { clinic: number; accountId: number };
type Founded = Founding & { schema: number };

/** `schema`: the number of its newest migration; `bytes`: of its database; `alarmAt`: UTC ms of its next alarm. */
export type Standing = { schema: number; bytes: number; alarmAt: number | null };

export type World = {
  /** UTC ms. */
  now(): number;
  /** The migrations that this version of the code knows of. */
  migrations: readonly Migration[];
  /** Does what is due; answers when to ring again at the latest (UTC ms), where the database does not say. */
  ring(clinic: number, db: D1Database): Promise<number | undefined>;
  /** Money or a promise may be at stake. */
  alert(event: string, fields: Record<string, string | number>): void;
};

const TABLE = `CREATE TABLE IF NOT EXISTS clinic (
  number INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  founded_at INTEGER NOT NULL,
  schema INTEGER NOT NULL
) STRICT`;

const TOO_OLD =
  'The database of this clinic was made by a version before the first release, whose records cannot be brought up to date.';

/** Without comments and line breaks: SQLite stores a statement as it was given, and reads all of them at each opening. */
const inOneLine = (sql: string): string =>
  sql.replace(/'(?:[^']|'')*'|(?:--[^\n]*|\s)+/g, (found) => (found.startsWith("'") ? found : ' '));

/** A clinic's database with its clock, over the storage of its object. */
export class Books {
  readonly #storage: DurableObjectStorage;
  readonly #world: World;
  readonly #execute: (asked: Asked[]) => Answered[];
  readonly #db: D1Database;
  #clinic: Founded | null;
  /** The alarm that is set, as far as it is known; 0: none. */
  #alarmAt = 0;
  #isWinding = false;
  /** When the turn under way began; 0: none is. */
  #ringingSince = 0;
  /** Turns in a row that left something due, and when the next may be. */
  #left = 0;
  #notBefore = 0;

  constructor(storage: DurableObjectStorage, world: World) {
    this.#storage = storage;
    this.#world = world;
    const watch = (_sql: string, _read: number, written: number) => written > 0 && this.#windSoon();
    this.#execute = executor(storage, watch);
    this.#db = asD1(storage, watch);
    this.#clinic = this.#founded();
  }

  /** Learns of the alarm that an earlier life of the object has set. */
  async open(): Promise<this> {
    this.#alarmAt = (await this.#storage.getAlarm()) ?? 0;
    return this;
  }

  /** A storage that was never written to stays so. */
  #founded(): Founded | null {
    const { sql } = this.#storage;
    if (sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'clinic'").toArray().length === 0) return null;
    return (
      sql.exec<Founded>('SELECT number AS clinic, account_id AS accountId, schema FROM clinic').toArray()[0] ?? null
    );
  }

  ask(schema: number, asked: Asked[]): Reply {
    if (!this.#clinic) return { missing: true };
    // A newer schema is no hindrance: migrations only add.
    if (this.#clinic.schema < schema) return { behind: this.#clinic.schema };
    try {
      return { done: this.#execute(asked) };
    } catch (cause) {
      return { error: messageOf(cause) };
    }
  }

  /**
   * Founds the clinic, all at once, or finds it founded. Its clock begins with its first write; where none follows, the
   * cron wakes it like any that is silent. Throws where another clinic is, or a migration fails.
   */
  found({ clinic, accountId }: Founding): void {
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
      for (const migration of migrations) sql.exec(inOneLine(migration.sql));
      const row = 'INSERT INTO clinic (number, account_id, founded_at, schema) VALUES (?, ?, ?, ?)';
      sql.exec(row, clinic, accountId, now(), schema);
    });
    this.#clinic = { clinic, accountId, schema };
  }

  /**
   * Carries out the migrations that follow the newest one, each in a transaction of its own with the note that it is done,
   * so that the next call goes on where this one fails. Throws where the schema is from before the first release.
   */
  migrate(migrations: readonly Migration[]): void {
    const clinic = this.#clinic;
    if (!clinic) return;
    if (clinic.schema < FIRST_MIGRATION) throw new Error(TOO_OLD);
    const { sql } = this.#storage;
    for (const migration of migrations) {
      if (migration.number !== clinic.schema + 1) continue;
      this.#storage.transactionSync(() => {
        sql.exec(inOneLine(migration.sql));
        sql.exec('UPDATE clinic SET schema = ?', migration.number);
      });
      clinic.schema = migration.number;
      this.#windSoon();
    }
  }

  /** Rings soon, in case the alarm was lost. */
  async wake(): Promise<void> {
    if (!this.#clinic || this.#isRinging()) return;
    this.#alarmAt = (await this.#storage.getAlarm()) ?? 0;
    this.#wind(this.#world.now());
  }

  /** Null: no clinic was founded here. */
  standing(): Standing | null {
    if (!this.#clinic) return null;
    const { sql } = this.#storage;
    return { schema: this.#clinic.schema, bytes: sql.databaseSize, alarmAt: this.#alarmAt || null };
  }

  /** Nothing is left, as if no clinic had ever been here. */
  async erase(): Promise<void> {
    this.#clinic = null;
    this.#alarmAt = 0;
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }

  /** Does what is due. Never throws: the platform gives a throwing alarm up after some tries, for good. */
  async alarm(): Promise<void> {
    const clinic = this.#clinic;
    if (!clinic) return;
    const { now, alert } = this.#world;
    const isFree = !this.#isRinging();
    if (isFree) this.#ringingSince = now();
    const since = this.#ringingSince;
    let again: number | undefined;
    try {
      // Before anything else: the object may not live to the end of this turn, nor of the one under way.
      this.#alarmAt = now() + AGAIN_MS;
      await this.#storage.setAlarm(this.#alarmAt);
      if (!isFree) return;
      // The code may be newer than the last caller's.
      this.migrate(this.#world.migrations);
      again = await this.#world.ring(clinic.clinic, this.#db);
    } catch (cause) {
      alert('clinic-turn-failed', { clinic: clinic.clinic, cause: messageOf(cause) });
    }
    // One that was taken for dead leaves the clock to the turn after it.
    if (this.#ringingSince !== since) return;
    this.#ringingSince = 0;
    if (this.#clinic) this.#windAfter(again);
  }

  #isRinging(): boolean {
    return this.#ringingSince > 0 && this.#world.now() - this.#ringingSince < TURN_MS;
  }

  #windAfter(again: number | undefined): void {
    const now = this.#world.now();
    this.#left = this.#due() <= now ? Math.min(this.#left + 1, 7) : 0;
    this.#notBefore = this.#left && now + Math.min(AGAIN_MS, LEFT_MS * 2 ** (this.#left - 1));
    // The alarm of this turn's beginning has done its duty.
    this.#alarmAt = 0;
    this.#wind(again);
  }

  /** Still in this turn of the event loop, so in one commit with the write: no claim goes out without its clock. */
  #windSoon(): void {
    if (this.#isWinding || this.#isRinging()) return;
    this.#isWinding = true;
    queueMicrotask(() => {
      this.#isWinding = false;
      if (this.#clinic && !this.#isRinging()) this.#wind();
    });
  }

  #due(): number {
    const { now, alert } = this.#world;
    try {
      return firstDue(this.#storage.sql);
    } catch (cause) {
      const message = messageOf(cause);
      // A table is missing as long as the database is behind this code: the next turn migrates it.
      if (!message.startsWith('no such ')) alert('clinic-clock-failed', { cause: message });
      return now() + AGAIN_MS;
    }
  }

  /** Sets the alarm to what is due first, within a day at the latest: what only a day brings is not in the database. */
  #wind(again = Number.POSITIVE_INFINITY): void {
    const now = this.#world.now();
    const soonest = Math.max(now + SOON_MS, this.#notBefore);
    const isSetBy = (at: number) => this.#alarmAt > now - LOST_MS && this.#alarmAt <= at;
    // Nothing that is due could make it earlier.
    if (isSetBy(soonest)) return;
    const at = Math.max(Math.min(this.#due(), again, now + DAY_MS), soonest);
    // An earlier alarm stays: it looks, finds nothing to do and winds again. So nothing can put it off for ever.
    if (!isSetBy(at)) this.#set(at);
  }

  /** In one commit with the writes of the same turn. */
  #set(at: number): void {
    this.#alarmAt = at;
    void this.#storage.setAlarm(at);
  }
}
