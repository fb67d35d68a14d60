import type { DatabaseCall, DatabaseLine } from '../engine/database.ts';
import type { Engine, Isolate, Task } from '../engine/engine.ts';
import type { Course } from './course.ts';

type Watch = {
  /** A call of this task has changed the database. */
  wrote(task: Task): void;
  failed(fault: string, key: string): void;
};

const lost = () => new Error('D1_ERROR: Network connection lost.');
const isWrite = (sql: string) => !/^\s*select/i.test(sql);

/** Every statement of the product is an event: it may come late, fail before it arrives, or lose its answer. */
export function databaseLine(engine: Engine, course: Course, { wrote, failed }: Watch) {
  const inFlight = new Set<{ task: Task; call: DatabaseCall }>();

  const execute = (task: Task, call: DatabaseCall) => {
    const result = call.execute();
    if (call.statements.some(isWrite)) wrote(task);
    return result;
  };

  const line: DatabaseLine = (call) => {
    const task = engine.task();
    if (!task) throw new Error('a statement outside of every task');
    const key = `${task.name} ${task.points++}`;
    const { fault, ms } = course.statement(key);
    const flight = { task, call };
    inFlight.add(flight);
    return engine.park(ms, () => {
      inFlight.delete(flight);
      if (fault) failed(fault, key);
      if (fault === 'd1-fails-before') throw lost();
      const result = execute(task, call);
      if (fault === 'd1-loses-answer') throw lost();
      return result;
    });
  };

  return {
    line,
    /** The process dies: what it had sent arrives or not, and its answer reaches nothing any more. */
    cutOff(isolate: Isolate, arrives: (key: string) => boolean) {
      for (const flight of inFlight) {
        const { task, call } = flight;
        if (task.isolate !== isolate) continue;
        inFlight.delete(flight);
        if (!arrives(`${task.name} ${task.points} arrives`)) continue;
        try {
          execute(task, call);
        } catch {
          // The database refused it, and the process that would have heard of it is gone.
        }
      }
    },
  };
}

/** R2 as a map; only what the verbs call. */
export function bucket(engine: Engine, course: Course, failed: Watch['failed']): R2Bucket {
  const files = new Map<string, { value: unknown; uploaded: Date }>();
  const step = <T>(work: () => T): Promise<T> => {
    const task = engine.task();
    const key = `${task?.name} ${task ? task.points++ : 0}`;
    const { isLost, ms } = course.file(key);
    return engine.park(ms, () => {
      if (isLost) {
        failed('r2-fails', key);
        throw new Error('R2 internal error');
      }
      return work();
    });
  };
  const api = {
    put: (key: string, value: unknown, { onlyIf }: { onlyIf?: unknown } = {}) =>
      step(() => {
        // The only condition that is asked for: nothing stands there yet.
        if (onlyIf !== undefined && files.has(key)) return null;
        files.set(key, { value, uploaded: new Date(engine.now()) });
        return { key };
      }),
    head: (key: string) => step(() => (files.has(key) ? { key } : null)),
    get: (key: string) =>
      step(() => {
        const file = files.get(key);
        return file ? { key, json: async () => JSON.parse(String(file.value)) } : null;
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
