import type { Pauses } from '#sandbox/inject-faults';

/** The sandbox's pauses, which a test can end early. */
export function endablePauses(): Pauses & { endAll(): void } {
  const runningTimers = new Map<NodeJS.Timeout, () => void>();
  const clearAll = () => {
    for (const timer of runningTimers.keys()) clearTimeout(timer);
    runningTimers.clear();
  };
  return {
    pause: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          runningTimers.delete(timer);
          resolve();
        }, ms);
        runningTimers.set(timer, resolve);
      }),
    stop: clearAll,
    endAll() {
      const resolvers = [...runningTimers.values()];
      clearAll();
      for (const resolve of resolvers) resolve();
    },
  };
}
