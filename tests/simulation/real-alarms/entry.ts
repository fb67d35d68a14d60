import worker from '#tests/bench/entry';
import { Clinic as ProductClinic } from '#worker/clinic/clinic';
import type { Env } from '#worker/deps';

/** The bench Worker with real alarms, each turn measured. Never deployed. */
export default worker;

/** An alarm turn: its start (UTC ms), duration (ms) and rows written, including those of indexes and `setAlarm`. */
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
}
