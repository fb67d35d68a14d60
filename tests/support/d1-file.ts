import { globSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

type Row = Record<string, unknown>;

/** Where the product of a state folder keeps its D1. */
export function databaseFile(state: string): string {
  const [file] = globSync(path.join(state, 'v3/d1/miniflare-D1DatabaseObject/*.sqlite')).filter(
    (name) => !name.endsWith('metadata.sqlite'),
  );
  if (!file) throw new Error(`no database in ${state}`);
  return file;
}

/**
 * A running product's database from outside. The Workers runtime gives up at once on a file that somebody else writes to,
 * so this side waits for its turn and is done with a write in no time: what a test writes need not survive a power cut.
 */
export function openDatabase(state: string): DatabaseSync {
  const db = new DatabaseSync(databaseFile(state), { timeout: 10_000 });
  db.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON');
  return db;
}

/** As much of D1 as the product's data layer asks for. */
export function asD1(db: DatabaseSync): D1Database {
  const state = db.prepare('SELECT total_changes() AS changes, last_insert_rowid() AS last_row_id');
  const read = () => state.get() as { changes: number; last_row_id: number };

  class Statement {
    readonly #text: string;
    readonly #values: SQLInputValue[];
    constructor(text: string, values: SQLInputValue[] = []) {
      this.#text = text;
      this.#values = values;
    }
    bind(...values: (SQLInputValue | boolean)[]) {
      return new Statement(
        this.#text,
        values.map((value) => (typeof value === 'boolean' ? Number(value) : value)),
      );
    }
    /** The batch does its work in one go. */
    now() {
      const before = read();
      const results = db.prepare(this.#text).all(...this.#values) as Row[];
      const { changes, last_row_id } = read();
      return { success: true, results, meta: { changes: changes - before.changes, last_row_id } };
    }
    async all() {
      return this.now();
    }
    async run() {
      return this.now();
    }
    async first(column?: string) {
      const [row] = this.now().results;
      if (!row) return null;
      return column === undefined ? row : row[column];
    }
    async raw() {
      const statement = db.prepare(this.#text);
      statement.setReturnArrays(true);
      return statement.all(...this.#values);
    }
  }

  const d1 = {
    prepare: (text: string) => new Statement(text),
    async batch(statements: Statement[]) {
      db.exec('BEGIN IMMEDIATE');
      try {
        const results = statements.map((statement) => statement.now());
        db.exec('COMMIT');
        return results;
      } catch (cause) {
        db.exec('ROLLBACK');
        throw cause;
      }
    },
  };
  return d1 as unknown as D1Database;
}
