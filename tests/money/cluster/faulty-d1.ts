import type { D1Fault, Point, Write } from './knobs.ts';

/** Hooks of the wrapped database for each batch. `stop` waits where the test asked for it. */
export type D1Watch = {
  fault: D1Fault | undefined;
  /** Whether the request reconciles; this tells its settling batches from those of a payment. */
  isReconciling: boolean;
  stop(point: Point): Promise<void>;
};

const CLAIM = /^insert into "payment_attempts"/i;
const SETTLE = /^update "payment_attempts" set "state"/i;

const lost = () => new Error('D1_ERROR: Network connection lost.');

/** A statement that compiles but fails at run time, after the statements before it have run. */
const REFUSED = 'SELECT abs(-9223372036854775807 - 1)';

/** The real database with faults on demand. Only batches can break, because claiming and settling are batches. */
export function faultyD1(real: D1Database, watch: D1Watch): D1Database {
  const sqlOf = new WeakMap<D1PreparedStatement, string>();
  let left = watch.fault?.times ?? 0;

  const known = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    sqlOf.set(statement, sql);
    const { bind } = statement;
    statement.bind = (...values) => known(bind.apply(statement, values), sql);
    return statement;
  };

  async function batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const write = statements.map((one) => kindOf(sqlOf.get(one) ?? '')).find((kind) => kind !== null);
    if (!write) return real.batch<T>(statements);
    const { fault, stop } = watch;
    if (write === 'claim') await stop('before-claim');
    if (fault?.on === write && left > 0) {
      left -= 1;
      if (fault.do === 'fail-before') throw lost();
      if (fault.do === 'lose-reply') {
        await real.batch<T>(statements);
        throw lost();
      }
      const at = Math.min(fault.after ?? 1, statements.length);
      return real.batch<T>([...statements.slice(0, at), real.prepare(REFUSED), ...statements.slice(at)]);
    }
    await stop(write === 'claim' ? 'mid-claim' : watch.isReconciling ? 'reconcile-mid-batch' : 'mid-batch');
    const results = await real.batch<T>(statements);
    await stop(write === 'claim' ? 'after-claim' : watch.isReconciling ? 'reconcile-after-batch' : 'after-batch');
    return results;
  }

  return new Proxy(real, {
    get(target, name) {
      if (name === 'batch') return batch;
      if (name === 'prepare') return (sql: string) => known(target.prepare(sql), sql);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function kindOf(sql: string): Write | null {
  if (CLAIM.test(sql)) return 'claim';
  return SETTLE.test(sql) ? 'settle' : null;
}
