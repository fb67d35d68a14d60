import type { Db } from '#worker/data/db';
import { readPaymentSwitch } from '#worker/data/operators/interventions';

/** Whether online payments are paused, by the installation's settings or by an operator. */
export const isPaused = ({ settings, payments }: { settings: { PAY_PAGE: string }; payments: Pause }): boolean =>
  settings.PAY_PAGE === 'paused' || payments.isPaused();

/** An operator's switch for all online payments, as this isolate knows it. */
export type Pause = {
  /** As it was last read here; false until then. */
  isPaused(): boolean;
  /** Read the switch again, if that was not done for ten seconds. It never fails: what is known stays. */
  look(): Promise<void>;
  /** It was switched in this isolate. */
  note(isPaused: boolean): void;
};

const FRESH_MS = 10_000;
/** So long (ms) after a request began to read, the others go by what is known. */
const READING_MS = 1000;
/** A payer waits this long (ms) for the switch at most, and a read that takes longer may never end. */
const PATIENCE_MS = 5000;

/**
 * One read in ten seconds for each isolate, beside what a payer waits for. The installation's database may be out of
 * reach while a clinic's is not; then payments go on as they were. A read ends with the request that began it, answered
 * or not, so nobody else relies on its end. `now`: UTC ms.
 */
export function createPause(installation: Db, now: () => number, patienceMs = PATIENCE_MS): Pause {
  let isPaused = false;
  let readAt = Number.NEGATIVE_INFINITY;
  let beganAt = Number.NEGATIVE_INFINITY;
  const read = async () => {
    try {
      isPaused = (await readPaymentSwitch(installation))?.state === 'paused';
      readAt = now();
    } catch {
      // Asked again with a later request.
    }
  };
  return {
    isPaused: () => isPaused,
    look: async () => {
      const at = now();
      const isKnown = readAt > Number.NEGATIVE_INFINITY;
      // Never by waiting for another request's read: that one never ends if its request does so before it.
      if (at - readAt < FRESH_MS || (isKnown && at - beganAt < READING_MS)) return;
      beganAt = at;
      const { promise: patience, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patienceMs);
      await Promise.race([read(), patience]);
      clearTimeout(timer);
    },
    note: (next) => {
      isPaused = next;
      readAt = now();
    },
  };
}
