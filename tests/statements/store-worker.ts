import { DurableObject } from 'cloudflare:workers';

/** A statement with its values, as D1 gets it. */
export type Call = { sql: string; values: (string | number | null)[] };
export type Cost = { rowsRead: number; rowsWritten: number; results: number; error: string };

/**
 * An SQLite of the Workers runtime with the meter that D1 uses, but without D1, so that measured changes can be
 * rolled back.
 */
export class Store extends DurableObject {
  /** Runs statements one after the other and keeps their changes. */
  run(calls: Call[]): void {
    for (const { sql, values } of calls) this.ctx.storage.sql.exec(sql, ...values).toArray();
  }

  /** The cost of each statement alone; all changes are rolled back. */
  measure(calls: Call[]): Cost[] {
    return calls.map((call) => this.#measure(call));
  }

  plan({ sql, values }: Call): string[] {
    const rows = this.ctx.storage.sql.exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).toArray();
    return rows.map(({ detail }) => detail);
  }

  #measure({ sql, values }: Call): Cost {
    const cost: Cost = { rowsRead: 0, rowsWritten: 0, results: 0, error: '' };
    const undo = new Error('undo');
    try {
      this.ctx.storage.transactionSync(() => {
        // Drawn rows may refer to missing ones, such as the content area's people. A deferred check still does its
        // lookup.
        this.ctx.storage.sql.exec('PRAGMA defer_foreign_keys = on');
        // In a batch, a statement may check whether the previous one changed a row.
        this.ctx.storage.sql.exec(
          'UPDATE accounts SET name = name WHERE account_id = (SELECT min(account_id) FROM accounts)',
        );
        const cursor = this.ctx.storage.sql.exec(sql, ...values);
        cost.results = cursor.toArray().length;
        cost.rowsRead = cursor.rowsRead;
        cost.rowsWritten = cursor.rowsWritten;
        throw undo;
      });
    } catch (cause) {
      if (cause !== undo) cost.error = String(cause);
    }
    return cost;
  }
}

type Env = { STORE: DurableObjectNamespace<Store> };
type StoreRequest = { store: string; method: 'run' | 'measure' | 'plan'; argument: never };

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { store, method, argument } = (await request.json()) as StoreRequest;
    const stub = env.STORE.get(env.STORE.idFromName(store));
    return Response.json((await stub[method](argument)) ?? null);
  },
};
