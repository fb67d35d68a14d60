import { Clinic as ProductClinic } from '#worker/clinic/clinic';
import type { Reply, SerializedStatement } from '#worker/clinic/d1-interface';
import type { Env } from '#worker/deps';
import type { ObjectFault } from './knobs.ts';
import { type Worlds, worldEnv } from './world-env.ts';

const ALARM = 'alarm';

/** Offset of the product's clock. All worlds share it, since they run one after another. */
let aheadMs = 0;
const realNow = Date.now;
Date.now = () => realNow() + aheadMs;

/** Replaces the object's alarm by a stored one that fires only through ring(). */
function heldClock(context: DurableObjectState): DurableObjectState {
  const { storage } = context;
  // Written synchronously, so that it commits with the preceding write, as on the platform.
  Object.assign(storage, {
    getAlarm: async () => storage.kv.get<number>(ALARM) ?? null,
    setAlarm: async (at: number) => storage.kv.put(ALARM, at),
    deleteAlarm: async () => storage.kv.delete(ALARM),
  });
  return context;
}

type Ring = { world: number; clockMs: number; settings: Record<string, string | number> };

/** The product's object, with faults on demand. */
export class Clinic extends ProductClinic {
  readonly #worlds: Worlds;
  /** The environment for the alarm's deps; ring() fills it with that of the test's world. */
  readonly #env: Record<string, unknown>;

  constructor(context: DurableObjectState, worlds: Worlds) {
    const env: Record<string, unknown> = {};
    super(heldClock(context), env as Env);
    this.#worlds = worlds;
    this.#env = env;
  }

  /** Fails with a storage error, or resets the object, before or after the statements are committed. */
  async askAndBreak(fault: ObjectFault, schema: number, statements: SerializedStatement[]): Promise<Reply> {
    if (fault === 'fail-in-object') throw new Error('Internal error in Durable Object storage write.');
    if (fault === 'reset-before') this.reset();
    const reply = this.ask(schema, statements);
    // Without this, the platform may still discard the write.
    if (fault !== 'reset-after') await this.ctx.storage.sync();
    if (fault === 'fail-after-commit') throw new Error('Internal error in Durable Object storage write.');
    this.reset();
    return reply;
  }

  reset(): void {
    this.ctx.abort('reset by the test');
  }

  setClock(clockMs: number): void {
    aheadMs = clockMs;
  }

  /** Fires the alarm in place of the platform. Returns false if none was due. */
  async ring({ world, clockMs, settings }: Ring): Promise<boolean> {
    this.setClock(clockMs);
    const at = await this.ctx.storage.getAlarm();
    if (at === null || at > Date.now()) return false;
    await this.ctx.storage.deleteAlarm();
    Object.assign(this.#env, worldEnv(this.#worlds, world, settings));
    await this.alarm();
    return true;
  }

  /** Deletes the alarm, as if the platform lost it. Returns false if there was none. */
  async loseAlarm(): Promise<boolean> {
    const at = await this.ctx.storage.getAlarm();
    await this.ctx.storage.deleteAlarm();
    return at !== null;
  }
}
