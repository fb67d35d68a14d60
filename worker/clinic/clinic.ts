import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../deps.ts';
import type { Books, Clinic as Clinical } from './books.ts';
import type { Asked, Migration } from './facade.ts';

/** A clinic's object: its database and its clock (books.ts), which are loaded only where an object lives. */
export class Clinic extends DurableObject<Env> {
  #books!: Books;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      this.#books = await (await import('./open-books.ts')).openBooks(ctx.storage, env);
    });
  }

  ask(schema: number, asked: Asked[]) {
    return this.#books.ask(schema, asked);
  }

  found(clinic: Omit<Clinical, 'foundedAt'>, files: Migration[]) {
    return this.#books.found(clinic, files);
  }

  migrate(before: number, files: Migration[]) {
    this.#books.migrate(before, files);
  }

  wake() {
    return this.#books.wake();
  }

  erase() {
    return this.#books.erase();
  }

  override alarm() {
    return this.#books.alarm();
  }
}
