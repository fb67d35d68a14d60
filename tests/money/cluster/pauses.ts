import type { Pauses } from '#sandbox/inflict';

/** The sandbox's pauses, which a test can end early. */
export function endablePauses(): Pauses & { endAll(): void } {
  const going = new Map<NodeJS.Timeout, () => void>();
  const forget = () => {
    for (const timer of going.keys()) clearTimeout(timer);
    going.clear();
  };
  return {
    pause: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          going.delete(timer);
          resolve();
        }, ms);
        going.set(timer, resolve);
      }),
    stop: forget,
    endAll() {
      const ended = [...going.values()];
      forget();
      for (const resolve of ended) resolve();
    },
  };
}
