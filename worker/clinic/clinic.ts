import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../deps.ts';
import { consoleLog } from '../log.ts';
import type { SerializedStatement } from './d1-interface.ts';
import { Books, type NewClinic } from './database-and-alarm.ts';
import type { Migration } from './migration.ts';
import { clinicMigrations } from './migrations.ts';

/** Opens the books on top of this storage, with their dependencies. */
export const openBooks = (storage: DurableObjectStorage, env: Env): Promise<Books> =>
  new Books(storage, {
    now: Date.now,
    migrations: clinicMigrations,
    ring: async (clinic, db) => (await import('./run-alarm.ts')).ring(env, clinic, db),
    // A clinic whose turns keep failing becomes silent, and the installation then raises an alert.
    alert: consoleLog.info,
  }).open();

/** A clinic's Durable Object: its database and its alarm (database-and-alarm.ts). */
export class Clinic extends DurableObject<Env> {
  #books!: Books;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      this.#books = await openBooks(ctx.storage, env);
    });
  }

  ask(schema: number, statements: SerializedStatement[]) {
    return this.#books.ask(schema, statements);
  }

  found(founding: NewClinic) {
    return this.#books.found(founding);
  }

  migrate(migrations: Migration[]) {
    this.#books.migrate(migrations);
  }

  wake() {
    return this.#books.wake();
  }

  readStatus() {
    return this.#books.readStatus();
  }

  erase() {
    return this.#books.erase();
  }

  override alarm() {
    return this.#books.alarm();
  }
}
