import { AsyncLocalStorage } from 'node:async_hooks';

/** One Worker's memory. A crash ends its life; what it left parked is never taken up again. */
export type Isolate = { name: string; life: number };

/** Work of the product for one request or one minute of the schedule. */
export type Task = {
  name: string;
  isolate: Isolate;
  /** The isolate's life in which it began. */
  life: number;
  /**
   * The key of the choices at its next point of input or output: `pay 3 sale 0`. Each kind is numbered by itself, so
   * that a story stays the same when the product asks for one thing more of another kind.
   */
  keyOf(kind: string): string;
  /** When it last asked a database (UTC ms); 0: never. */
  requestedAt: number;
  /** Of these, those that still wait for their event. */
  parked: number;
  isOver: boolean;
};

type Event = { at: number; order: number; run: () => void };

/** Real work, such as a signature made on a thread, may take this long on a busy machine. */
const PATIENCE_MS = 10_000;

/** The name of a task that no simulated event will wake: it waits for something real. */
export class NotSimulated extends Error {}

export type Timer = { stop(): void };

export type Engine = ReturnType<typeof createEngine>;

/**
 * A clock and the events on it. One event runs at a time; then every task goes on until it is parked at its next point
 * of input or output. Nothing else moves, so the same choices give the same run.
 */
export function createEngine(start: number) {
  const storage = new AsyncLocalStorage<Task>();
  const tasks = new Set<Task>();
  /** Sorted, the next event last. */
  const events: Event[] = [];
  let now = start;
  let order = 0;
  let steps = 0;

  const at = (when: number, run: () => void): Event => {
    const event = { at: Math.max(Math.round(when), now), order: order++, run };
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = events[middle] as Event;
      if (other.at > event.at || (other.at === event.at && other.order > event.order)) low = middle + 1;
      else high = middle;
    }
    events.splice(low, 0, event);
    return event;
  };

  function drop(event: Event): void {
    const index = events.indexOf(event);
    if (index >= 0) events.splice(index, 1);
  }

  const isAlive = (task: Task) => task.life === task.isolate.life;

  function firstAwake(): Task | undefined {
    for (const task of tasks) if (task.parked === 0 && isAlive(task)) return task;
    return undefined;
  }

  async function settle(): Promise<void> {
    const startedAt = performance.now();
    for (;;) {
      await new Promise(setImmediate);
      const awake = firstAwake();
      if (!awake) return;
      if (performance.now() - startedAt > PATIENCE_MS)
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
    /** The task whose code runs now. */
    task: (): Task | undefined => storage.getStore(),
    isAlive,
    /** Run something `afterMs` from now. */
    later: (afterMs: number, run: () => void) => at(now + afterMs, run),
    drop,
    /** The clock jumps: what was due in between comes late. */
    jump(ms: number) {
      now += ms;
    },

    /** Begin work of the product. `ended` gets its result or its error; after a crash it is not called. */
    start<T>(name: string, isolate: Isolate, work: () => Promise<T>, ended: (result: T | Error) => void): Task {
      const numbers = new Map<string, number>();
      const keyOf = (kind: string) => {
        const number = numbers.get(kind) ?? 0;
        numbers.set(kind, number + 1);
        return `${name} ${kind} ${number}`;
      };
      const task: Task = { name, isolate, life: isolate.life, keyOf, requestedAt: 0, parked: 0, isOver: false };
      tasks.add(task);
      const end = (result: T | Error) => {
        tasks.delete(task);
        task.isOver = true;
        ended(result);
      };
      storage.run(task, () => {
        work().then(end, (cause: unknown) => end(cause instanceof Error ? cause : new Error(String(cause))));
      });
      return task;
    },

    /** Park the running task until its event; then `run` decides how it goes on. A dead task is not woken. */
    park<T>(afterMs: number, run: () => T): Promise<Awaited<T>> {
      const task = storage.getStore();
      if (!task) throw new Error('a point of input or output outside of every task');
      task.parked += 1;
      return new Promise<Awaited<T>>((resolve, reject) => {
        at(now + afterMs, () => {
          if (!isAlive(task)) return;
          task.parked -= 1;
          try {
            resolve(run() as Awaited<T>);
          } catch (cause) {
            reject(cause);
          }
        });
      });
    },

    /** As `setTimeout`: the running task waits for it, unless it stops it before. */
    timer(afterMs: number, run: () => void): Timer {
      const task = storage.getStore();
      if (!task) throw new Error('a timer outside of every task');
      task.parked += 1;
      let isOver = false;
      const end = () => {
        if (isOver || !isAlive(task)) return false;
        isOver = true;
        task.parked -= 1;
        return true;
      };
      const event = at(now + afterMs, () => {
        if (end()) run();
      });
      return {
        stop() {
          if (end()) drop(event);
        },
      };
    },

    /** Park until `begin` calls back, once. */
    parkUntil<T>(begin: (wake: (result: T | Error) => void) => void): Promise<T> {
      const task = storage.getStore();
      if (!task) throw new Error('a point of input or output outside of every task');
      task.parked += 1;
      return new Promise<T>((resolve, reject) => {
        let isWoken = false;
        begin((result) => {
          if (isWoken || !isAlive(task)) return;
          isWoken = true;
          task.parked -= 1;
          if (result instanceof Error) reject(result);
          else resolve(result);
        });
      });
    },

    /** The process of this isolate dies. */
    kill(isolate: Isolate) {
      for (const task of tasks) if (task.isolate === isolate && isAlive(task)) tasks.delete(task);
      isolate.life += 1;
    },

    /** Run the next event and let every task go on until it is parked. False: there was none. */
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
