import { AsyncLocalStorage } from 'node:async_hooks';

/** One Worker's memory. A crash ends its life, and its parked tasks never continue. */
export type Isolate = { name: string; life: number };

/** Work of the product for one request, one alarm or one cron run. */
export type Task = {
  name: string;
  isolate: Isolate;
  /** The isolate's life in which the task started. */
  life: number;
  /**
   * The key of the choices at the task's next input or output, such as `pay 3 sale 0`. Each kind is numbered
   * separately, so that a story stays the same if the product makes an additional call of another kind.
   */
  keyOf(kind: string): string;
  /** Time of the last database call (UTC ms); 0: none yet. */
  requestedAt: number;
  /** Number of inputs and outputs that still wait for their event. */
  parkedCount: number;
  isOver: boolean;
};

type Event = { at: number; order: number; run: () => void };

/** Maximum duration (ms) of real work, such as a signature made on a thread, on a busy machine. */
const REAL_WORK_MS = 10_000;

/** Thrown when a task waits for something that is not simulated, so no event will wake it. */
export class NotSimulated extends Error {}

export type Timer = { stop(): void };

export type Engine = ReturnType<typeof createEngine>;

/**
 * A clock with its events. One event runs at a time; then every task runs until it is parked at its next input or
 * output. Nothing else advances, so the same choices give the same run.
 */
export function createEngine(start: number) {
  const storage = new AsyncLocalStorage<Task>();
  const tasks = new Set<Task>();
  /** Sorted, the next event last. */
  const events: Event[] = [];
  let now = start;
  let order = 0;
  let steps = 0;

  const schedule = (time: number, run: () => void): Event => {
    const event = { at: Math.max(Math.round(time), now), order: order++, run };
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const neighbor = events[middle] as Event;
      if (neighbor.at > event.at || (neighbor.at === event.at && neighbor.order > event.order)) low = middle + 1;
      else high = middle;
    }
    events.splice(low, 0, event);
    return event;
  };

  function cancel(event: Event): void {
    const index = events.indexOf(event);
    if (index >= 0) events.splice(index, 1);
  }

  const isAlive = (task: Task) => task.life === task.isolate.life;

  function firstAwakeTask(): Task | undefined {
    for (const task of tasks) if (task.parkedCount === 0 && isAlive(task)) return task;
    return undefined;
  }

  async function settle(): Promise<void> {
    const startedAt = performance.now();
    for (;;) {
      await new Promise(setImmediate);
      const awake = firstAwakeTask();
      if (!awake) return;
      if (performance.now() - startedAt > REAL_WORK_MS)
        throw new NotSimulated(`${awake.name} waits for something that is not simulated`);
    }
  }

  return {
    now: () => now,
    steps: () => steps,
    /** UTC ms of the next event; null where there is none. */
    nextAt: (): number | null => events.at(-1)?.at ?? null,
    isIdle: () => tasks.size === 0,
    runningOn: (isolate: Isolate) => [...tasks].filter((task) => task.isolate === isolate && isAlive(task)),
    /** The task whose code is running. */
    task: (): Task | undefined => storage.getStore(),
    isAlive,
    /** Runs a function `afterMs` from now. */
    later: (afterMs: number, run: () => void) => schedule(now + afterMs, run),
    cancel,
    /** Moves the clock forward; events due in between run late. */
    jump(ms: number) {
      now += ms;
    },

    /** Starts work of the product. `onEnd` receives its result or error; after a crash it is not called. */
    start<T>(name: string, isolate: Isolate, work: () => Promise<T>, onEnd: (result: T | Error) => void): Task {
      const numbers = new Map<string, number>();
      const keyOf = (kind: string) => {
        const number = numbers.get(kind) ?? 0;
        numbers.set(kind, number + 1);
        return `${name} ${kind} ${number}`;
      };
      const task: Task = { name, isolate, life: isolate.life, keyOf, requestedAt: 0, parkedCount: 0, isOver: false };
      tasks.add(task);
      const end = (result: T | Error) => {
        tasks.delete(task);
        task.isOver = true;
        onEnd(result);
      };
      storage.run(task, () => {
        work().then(end, (cause: unknown) => end(cause instanceof Error ? cause : new Error(String(cause))));
      });
      return task;
    },

    /** Parks the running task until its event, then resumes it with the result of `run`. A dead task is not woken. */
    park<T>(afterMs: number, run: () => T): Promise<Awaited<T>> {
      const task = storage.getStore();
      if (!task) throw new Error('input or output outside of every task');
      task.parkedCount += 1;
      return new Promise<Awaited<T>>((resolve, reject) => {
        schedule(now + afterMs, () => {
          if (!isAlive(task)) return;
          task.parkedCount -= 1;
          try {
            resolve(run() as Awaited<T>);
          } catch (cause) {
            reject(cause);
          }
        });
      });
    },

    /** Like `setTimeout`: the running task waits for it unless the task stops it first. */
    timer(afterMs: number, run: () => void): Timer {
      const task = storage.getStore();
      if (!task) throw new Error('a timer outside of every task');
      task.parkedCount += 1;
      let isOver = false;
      const end = () => {
        if (isOver || !isAlive(task)) return false;
        isOver = true;
        task.parkedCount -= 1;
        return true;
      };
      const event = schedule(now + afterMs, () => {
        if (end()) run();
      });
      return {
        stop() {
          if (end()) cancel(event);
        },
      };
    },

    /** Parks the running task until `begin` calls back, which it does once. */
    parkUntil<T>(begin: (wake: (result: T | Error) => void) => void): Promise<T> {
      const task = storage.getStore();
      if (!task) throw new Error('input or output outside of every task');
      task.parkedCount += 1;
      return new Promise<T>((resolve, reject) => {
        let isWoken = false;
        begin((result) => {
          if (isWoken || !isAlive(task)) return;
          isWoken = true;
          task.parkedCount -= 1;
          if (result instanceof Error) reject(result);
          else resolve(result);
        });
      });
    },

    /** Kills the isolate's process. */
    kill(isolate: Isolate) {
      for (const task of tasks) if (task.isolate === isolate && isAlive(task)) tasks.delete(task);
      isolate.life += 1;
    },

    /** Runs the next event, then every task until it is parked. Returns false if there was no event. */
    async step(): Promise<boolean> {
      const event = events.pop();
      if (!event) return false;
      now = Math.max(now, event.at);
      steps += 1;
      event.run();
      await settle();
      return true;
    },
  };
}
