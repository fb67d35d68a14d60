import type { Asked, ClinicCalls, Reply } from '#worker/clinic/facade';
import type { DatabaseFault, ObjectFault, Point, Write } from './knobs.ts';

/** Hooks of a clinic's object for each transaction. `stop` waits at the point that the test chose. */
export type Watch = {
  fault: DatabaseFault | undefined;
  /** True if the request reconciles; distinguishes its settlement transactions from those of a payment. */
  isReconciling: boolean;
  stop(point: Point): Promise<void>;
};

/** The tests' object (clinic.ts), which can run statements with a fault. */
export type Breakable = ClinicCalls & {
  askAndBreak(how: ObjectFault, schema: number, asked: Asked[]): Promise<Reply>;
};

const CLAIM = /^insert into "payment_attempts"/i;
const SETTLE = /^update "payment_attempts" set "state"/i;

const lost = () => new Error('Network connection lost.');

/** A statement that compiles but fails at run time, after the statements before it have run. */
const REFUSED: Asked = { sql: 'SELECT abs(-9223372036854775807 - 1)', values: [] };

/**
 * A clinic's object as the Worker sees it, with faults on demand. Only claims and settlements fail, each of which is
 * one call.
 */
export function faultyClinic(real: Breakable, watch: Watch): ClinicCalls {
  let left = watch.fault?.times ?? 0;

  async function ask(schema: number, asked: Asked[]): Promise<Reply> {
    const write = asked.map(({ sql }) => kindOf(sql)).find((kind) => kind !== null);
    if (!write) return real.ask(schema, asked);
    const { fault, stop } = watch;
    if (write === 'claim') await stop('before-claim');
    if (fault?.on === write && left > 0) {
      left -= 1;
      return broken(real, fault, schema, asked);
    }
    await stop(write === 'claim' ? 'mid-claim' : watch.isReconciling ? 'reconcile-mid-batch' : 'mid-batch');
    const reply = await real.ask(schema, asked);
    await stop(write === 'claim' ? 'after-claim' : watch.isReconciling ? 'reconcile-after-batch' : 'after-batch');
    return reply;
  }

  return { ask, migrate: (migrations) => real.migrate(migrations) };
}

async function broken(real: Breakable, fault: DatabaseFault, schema: number, asked: Asked[]): Promise<Reply> {
  switch (fault.do) {
    case 'fail-before':
      throw lost();
    case 'lose-reply':
      await real.ask(schema, asked);
      throw lost();
    case 'refuse': {
      const at = Math.min(fault.after ?? 1, asked.length);
      return real.ask(schema, [...asked.slice(0, at), REFUSED, ...asked.slice(at)]);
    }
    default:
      return real.askAndBreak(fault.do, schema, asked);
  }
}

function kindOf(sql: string): Write | null {
  if (CLAIM.test(sql)) return 'claim';
  return SETTLE.test(sql) ? 'settle' : null;
}
