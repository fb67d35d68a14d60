import worker from '#tests/bench/entry';
import { Clinic as ProductClinic } from '#worker/clinic/clinic';
import type { Asked } from '#worker/clinic/facade';
import { clinicMigrations } from '#worker/clinic/migrations';
import type { Env } from '#worker/deps';

/** The bench Worker with clocks that ring, each turn measured. Never deployed. */
export default worker;

/** A turn of the clock: how long it took (ms), and the rows that it wrote, those of indexes and `setAlarm` included. */
export type Turn = { at: number; ms: number; rows: number };

export class Clinic extends ProductClinic {
  readonly #turns: Turn[] = [];
  readonly #cursors: { rowsWritten: number }[] = [];
  #alarms = 0;

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    const { storage } = context;
    const { sql } = storage;
    const exec = sql.exec.bind(sql) as (text: string, ...values: SqlStorageValue[]) => SqlStorageCursor<never>;
    Object.defineProperty(sql, 'exec', {
      value: (text: string, ...values: SqlStorageValue[]) => {
        const cursor = exec(text, ...values);
        this.#cursors.push(cursor);
        return cursor;
      },
    });
    const setAlarm = storage.setAlarm.bind(storage);
    Object.defineProperty(storage, 'setAlarm', {
      value: (at: number) => {
        this.#alarms += 1;
        return setAlarm(at);
      },
    });
  }

  override async alarm() {
    const at = Date.now();
    this.#cursors.length = 0;
    this.#alarms = 0;
    await super.alarm();
    const rows = this.#cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, this.#alarms);
    this.#turns.push({ at, ms: Date.now() - at, rows });
  }

  turns(): Turn[] {
    return this.#turns;
  }

  /** The tables of a clinic with one account, in an object that has nothing else of the product. */
  makeBare(accountId: number) {
    const { sql } = this.ctx.storage;
    for (const file of clinicMigrations) sql.exec(file.sql);
    sql.exec(
      "INSERT INTO hubs (hub_id, name, domain, time_zone, connected_at) VALUES (?, '', '', 'UTC', 1)",
      accountId,
    );
  }

  /** What a clinic's object does with such statements, without the product. */
  writeBare(asked: Asked[]) {
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      for (const { sql: text, values } of asked) sql.exec(text, ...values).toArray();
    });
  }
}
