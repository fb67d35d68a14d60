import { Clinic as ProductClinic } from '#worker/clinic/clinic';
import type { Asked, Reply } from '#worker/clinic/facade';
import type { Env } from '#worker/deps';
import type { ObjectFault } from './knobs.ts';
import { type Worlds, worldEnv } from './world-env.ts';

const ALARM = 'alarm';

/** The product takes the time from here. One clock for all worlds, which come one after another. */
let aheadMs = 0;
const realNow = Date.now;
Date.now = () => realNow() + aheadMs;

/** The platform's clock of an object whose alarm rings only when a test plays the platform. */
function heldClock(context: DurableObjectState): DurableObjectState {
  const { storage } = context;
  // In the turn in which it is called, as the platform does it: in one commit with the write before it.
  Object.assign(storage, {
    getAlarm: async () => storage.kv.get<number>(ALARM) ?? null,
    setAlarm: async (at: number) => storage.kv.put(ALARM, at),
    deleteAlarm: async () => storage.kv.delete(ALARM),
  });
  return context;
}

type Ring = { world: number; clockMs: number; settings: Record<string, string | number> };

/** The product's object, which breaks on demand. */
export class Clinic extends ProductClinic {
  readonly #worlds: Worlds;
  /** What the product's clock takes its deps from: the world's, once the test has named it. */
  readonly #env: Record<string, unknown>;

  constructor(context: DurableObjectState, worlds: Worlds) {
    const env: Record<string, unknown> = {};
    super(heldClock(context), env as Env);
    this.#worlds = worlds;
    this.#env = env;
  }

  /** An error of the storage, or the object's end, before or after the statements are carried out for good. */
  async askAndBreak(how: ObjectFault, schema: number, asked: Asked[]): Promise<Reply> {
    if (how === 'fail-in-object') throw new Error('Internal error in Durable Object storage write.');
    if (how === 'reset-before') this.reset();
    const reply = this.ask(schema, asked);
    // Without this the platform may still drop what was written.
    if (how !== 'reset-after') await this.ctx.storage.sync();
    if (how === 'fail-after-commit') throw new Error('Internal error in Durable Object storage write.');
    this.reset();
    return reply;
  }

  reset(): void {
    this.ctx.abort('reset by the test');
  }

  setClock(clockMs: number): void {
    aheadMs = clockMs;
  }

  /** Plays the platform. Answers whether an alarm was due by then. */
  async ring({ world, clockMs, settings }: Ring): Promise<boolean> {
    this.setClock(clockMs);
    const at = await this.ctx.storage.getAlarm();
    if (at === null || at > Date.now()) return false;
    await this.ctx.storage.deleteAlarm();
    Object.assign(this.#env, worldEnv(this.#worlds, world, settings));
    await this.alarm();
    return true;
  }

  /** The platform forgets it. Answers whether there was one. */
  async loseAlarm(): Promise<boolean> {
    const at = await this.ctx.storage.getAlarm();
    await this.ctx.storage.deleteAlarm();
    return at !== null;
  }
}
