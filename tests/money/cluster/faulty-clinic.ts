import type { ClinicCalls, Reply, SerializedStatement } from '#worker/clinic/d1-interface';
import type { DatabaseFault, ObjectFault, Point, Write } from './knobs.ts';

/** Hooks of a clinic's object for each transaction. `stop` waits at the point that the test chose. */
export type Watch = {
  fault: DatabaseFault | undefined;
  /** True if the request reconciles; distinguishes its settlement transactions from those of a payment. */
  isReconciling: boolean;
  stop(point: Point): Promise<void>;
};

/** The clinic object of the tests (clinic.ts), which can run statements with a fault. */
export type Breakable = ClinicCalls & {
  askAndBreak(fault: ObjectFault, schema: number, statements: SerializedStatement[]): Promise<Reply>;
};

const CLAIM = /^insert into "payment_attempts"/i;
const SETTLE = /^update "payment_attempts" set "state"/i;

const connectionLost = () => new Error('Network connection lost.');

/** A statement that compiles but fails at run time, after the statements before it have run. */
const FAILING: SerializedStatement = { sql: 'SELECT abs(-9223372036854775807 - 1)', values: [] };

/**
 * A clinic's object as the Worker sees it, with faults on demand. Only claims and settlements fail, each of which is
 * one call.
 */
export function faultyClinic(real: Breakable, watch: Watch): ClinicCalls {
  let remaining = watch.fault?.times ?? 0;

  async function ask(schema: number, statements: SerializedStatement[]): Promise<Reply> {
    const write = statements.map(({ sql }) => kindOf(sql)).find((kind) => kind !== null);
    if (!write) return real.ask(schema, statements);
    const { fault, stop } = watch;
    if (write === 'claim') await stop('before-claim');
    if (fault?.on === write && remaining > 0) {
      remaining -= 1;
      return runFaulty(real, fault, schema, statements);
    }
    await stop(write === 'claim' ? 'mid-claim' : watch.isReconciling ? 'reconcile-mid-batch' : 'mid-batch');
    const reply = await real.ask(schema, statements);
    await stop(write === 'claim' ? 'after-claim' : watch.isReconciling ? 'reconcile-after-batch' : 'after-batch');
    return reply;
  }

  return { ask, migrate: (migrations) => real.migrate(migrations) };
}

async function runFaulty(
  real: Breakable,
  fault: DatabaseFault,
  schema: number,
  statements: SerializedStatement[],
): Promise<Reply> {
  switch (fault.do) {
    case 'fail-before':
      throw connectionLost();
    case 'lose-reply':
      await real.ask(schema, statements);
      throw connectionLost();
    case 'refuse': {
      const at = Math.min(fault.after ?? 1, statements.length);
      return real.ask(schema, [...statements.slice(0, at), FAILING, ...statements.slice(at)]);
    }
    default:
      return real.askAndBreak(fault.do, schema, statements);
  }
}

function kindOf(sql: string): Write | null {
  if (CLAIM.test(sql)) return 'claim';
  return SETTLE.test(sql) ? 'settle' : null;
}
