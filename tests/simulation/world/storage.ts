import type { DatabaseCall, DatabaseLine } from '../engine/database.ts';
import type { Engine, Isolate, Task } from '../engine/engine.ts';
import type { Course, DatabaseFault, Place } from './course.ts';

type Hooks = {
  /** Called before a call of this task writes to a database. */
  onWrite(task: Task): void;
  /** Called when a call of this task has a fault. */
  onFault(fault: string, task: Task): void;
  /** Kills the clinic's object, which restarts with the next call. */
  resetObject(): void;
};

const isWrite = (sql: string) => !/^\s*select/i.test(sql);

const kinds = new Map<string, string>();

/** Kind of a call by its first writing statement, else by its first statement; such as `update reversals`. */
function kindOf({ statements }: DatabaseCall): string {
  const sql = statements.find(isWrite) ?? statements[0] ?? '';
  const cached = kinds.get(sql);
  if (cached !== undefined) return cached;
  const [verb = ''] = /\w+/.exec(sql) ?? [];
  const [, table = ''] = /\b(?:into|update|from)\s+"?(\w+)/i.exec(sql) ?? [];
  const kind = `${verb.toLowerCase()} ${table}`.trim();
  kinds.set(sql, kind);
  return kind;
}

/** The platform's errors, as the caller receives them. */
const ERRORS: Record<Place, () => Error> = {
  clinic: () => Object.assign(new Error('Network connection lost.'), { retryable: true }),
  own: () => new Error('D1_ERROR: internal error; reference = none'),
  installation: () => new Error('D1_ERROR: Network connection lost.'),
};

/**
 * Every database call of the product is an event: it may be late, fail before it arrives, lose its response, or reset
 * the object that it calls or runs in.
 */
export function databaseLines(engine: Engine, course: Course, { onWrite, onFault, resetObject }: Hooks) {
  type Flight = { task: Task; key: string; call: DatabaseCall };
  const inFlight = new Set<Flight>();

  const execute = <T>(task: Task, call: DatabaseCall<T>): Promise<T> => {
    if (call.statements.some(isWrite)) onWrite(task);
    return call.execute();
  };

  const arrive = <T>(task: Task, call: DatabaseCall<T>, place: Place, fault: DatabaseFault | null): Promise<T> => {
    const isReset = fault?.startsWith('object-resets') ?? false;
    const isExecuted = !fault?.endsWith('before');
    const execution = isExecuted ? execute(task, call) : null;
    if (!fault && execution) return execution;
    const fail = async (): Promise<T> => {
      await execution?.catch(() => undefined);
      throw ERRORS[place]();
    };
    const failing = fail();
    if (isReset) resetObject();
    if (!isReset || place !== 'own') return failing;
    failing.catch(() => undefined);
    // The turn has ended with its object, so the call never completes.
    return new Promise(() => undefined);
  };

  const lineTo =
    (place: Place): DatabaseLine =>
    (call) => {
      const task = engine.task();
      if (!task) throw new Error('a statement outside of every task');
      const key = task.keyOf(kindOf(call));
      task.requestedAt = engine.now();
      const { fault, ms } = course.statement(key, place);
      // The object's own storage needs no trip, so in calm times nothing interleaves.
      if (place === 'own' && !fault && ms === 0) return execute(task, call);
      const flight = { task, key, call };
      inFlight.add(flight);
      return engine.park(ms, () => {
        inFlight.delete(flight);
        if (fault) onFault(fault, task);
        return arrive(task, call, place, fault);
      });
    };

  return {
    lineTo,
    /** Handles the death of a process: its calls in flight may still arrive, and their responses are dropped. */
    cutOff(isolate: Isolate, arrives: (key: string) => boolean) {
      for (const flight of inFlight) {
        const { task, key, call } = flight;
        if (task.isolate !== isolate) continue;
        inFlight.delete(flight);
        // The process that would receive a database error is gone.
        if (arrives(`${key} arrives`)) execute(task, call).catch(() => undefined);
      }
    },
  };
}

export type Files = Map<string, { value: unknown; uploaded: Date }>;

/** R2 as a map, limited to the calls of the product's verbs. */
export function bucket(
  engine: Engine,
  course: Course,
  onFault: (fault: string) => void,
  files: Files = new Map(),
): R2Bucket {
  const step = <T>(work: () => T): Promise<T> => {
    const task = engine.task();
    if (!task) throw new Error('a file outside of every task');
    const { isLost, ms } = course.file(task.keyOf('file'));
    return engine.park(ms, () => {
      if (isLost) {
        onFault('r2-fails');
        throw new Error('R2 internal error');
      }
      return work();
    });
  };
  const api = {
    put: (key: string, value: unknown, { onlyIf }: { onlyIf?: unknown } = {}) =>
      step(() => {
        // The product's only condition: the key does not exist yet.
        if (onlyIf !== undefined && files.has(key)) return null;
        files.set(key, { value, uploaded: new Date(engine.now()) });
        return { key };
      }),
    head: (key: string) => step(() => (files.has(key) ? { key } : null)),
    get: (key: string) =>
      step(() => {
        const file = files.get(key);
        if (!file) return null;
        const bytes = () => Uint8Array.from(Buffer.from(file.value as string)).buffer;
        return { key, json: async () => JSON.parse(String(file.value)), arrayBuffer: async () => bytes() };
      }),
    list: ({ prefix, limit, startAfter = '' }: { prefix: string; limit: number; startAfter?: string }) =>
      step(() => {
        const keys = [...files.keys()].filter((key) => key.startsWith(prefix) && key > startAfter).sort();
        const objects = keys.slice(0, limit).map((key) => ({ key, uploaded: files.get(key)?.uploaded }));
        return { objects, truncated: keys.length > limit };
      }),
    delete: (keys: string | string[]) =>
      step(() => {
        for (const key of [keys].flat()) files.delete(key);
      }),
  };
  return api as unknown as R2Bucket;
}
