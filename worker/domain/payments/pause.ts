import type { Db } from '#worker/data/db';
import { readPaymentSwitch } from '#worker/data/operators/interventions';

/** True if online payments are paused, by the installation's settings or by an operator. */
export const isPaused = ({ settings, payments }: { settings: { PAY_PAGE: string }; payments: Pause }): boolean =>
  settings.PAY_PAGE === 'paused' || payments.isPaused();

/** An operator's switch for all online payments, as this isolate knows it. */
export type Pause = {
  /** The last known state; false before the first read. */
  isPaused(): boolean;
  /** Reads the switch again, unless it was read in the last ten seconds. On failure, the last known state is kept. */
  refresh(): Promise<void>;
  /** Records a change that was made in this isolate. */
  recordChange(isPaused: boolean): void;
};

const MAX_AGE_MS = 10_000;
/** For this long (ms) after a read began, other requests use the last known state. */
const PENDING_READ_MS = 1000;
/** The longest time (ms) that a payer waits for the switch; a slower read may never end. */
const MAX_WAIT_MS = 5000;

/**
 * Each isolate reads the switch every ten seconds, in parallel with the payer's own queries. The installation's
 * database may be down while a clinic's is not; payments then continue as before. A read ends with the request that
 * began it, even without an answer, so no other request waits for it. `now`: UTC ms.
 */
export function createPause(installation: Db, now: () => number, maxWaitMs = MAX_WAIT_MS): Pause {
  let isPaused = false;
  let readAt = Number.NEGATIVE_INFINITY;
  let readStartedAt = Number.NEGATIVE_INFINITY;
  const read = async () => {
    try {
      isPaused = (await readPaymentSwitch(installation))?.state === 'paused';
      readAt = now();
    } catch {
      // A later request tries again.
    }
  };
  return {
    isPaused: () => isPaused,
    refresh: async () => {
      const at = now();
      const isKnown = readAt > Number.NEGATIVE_INFINITY;
      // Do not wait for another request's read, which never ends if that request ends first.
      if (at - readAt < MAX_AGE_MS || (isKnown && at - readStartedAt < PENDING_READ_MS)) return;
      readStartedAt = at;
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, maxWaitMs);
      await Promise.race([read(), timeout]);
      clearTimeout(timer);
    },
    recordChange: (next) => {
      isPaused = next;
      readAt = now();
    },
  };
}
