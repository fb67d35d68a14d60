import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../deps.ts';
import type { Books, Founding } from './books.ts';
import type { Asked } from './facade.ts';
import type { Migration } from './migration.ts';
import { openBooks } from './open-books.ts';

/** A clinic's object: its database and its clock (books.ts). */
export class Clinic extends DurableObject<Env> {
  #books!: Books;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      this.#books = await openBooks(ctx.storage, env);
    });
  }

  ask(schema: number, asked: Asked[]) {
    return this.#books.ask(schema, asked);
  }

  found(founding: Founding) {
    return this.#books.found(founding);
  }

  migrate(migrations: Migration[]) {
    this.#books.migrate(migrations);
  }

  wake() {
    return this.#books.wake();
  }

  standing() {
    return this.#books.standing();
  }

  erase() {
    return this.#books.erase();
  }

  override alarm() {
    return this.#books.alarm();
  }
}
