import { Buffer } from 'node:buffer';
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * Slow salted hashes, `scrypt$N$r$p$salt$hash`. One takes about 200 ms of the isolate's only thread, so hashes queue
 * with long pauses, and a caller that would wait too long is refused. Otherwise four concurrent logins would block
 * every other route.
 */
export type Passwords = {
  /** Hashes with the salt and parameters of `like` if given. `busy`: the queue is full. */
  hash(password: string, like?: string): Promise<string | 'busy'>;
  isSame(one: string, other: string): boolean;
  /** True if the hash uses other parameters than the current ones. */
  isOutdated(stored: string): boolean;
};

type Derive = (password: string, salt: Buffer, cost: Cost) => Promise<Buffer>;

export type Cost = { N: number; r: number; p: number };

/** The platform allows at most N·r·p = 2^20; N = 2^17 would use all the memory of an isolate. */
export const COST: Cost = { N: 2 ** 15, r: 8, p: 3 };
const LENGTH = 32;

/** After a hash, other requests get the thread for this many times its duration. */
const REST = 2;
/** How often a waiting request checks whether the thread is free. */
const LOOK_MS = 50;
/** The longest time that a running hash blocks others, in case its request is cancelled and never finishes. */
const LONGEST_MS = 5000;

export function createPasswords({
  intervalMs,
  waitMs,
  cost = COST,
  derive = scryptKey,
}: {
  intervalMs: number;
  waitMs: number;
  cost?: Cost;
  /** The hash function; tests pass one with a fixed duration. */
  derive?: Derive;
}): Passwords {
  // Timestamps, not a promise chain: a request that is cancelled while it waits must not block the others.
  let nextPlace = 0;
  let freeAt = 0;
  let tookMs = 0;
  const distance = () => Math.max(intervalMs, tookMs * (1 + REST));

  /** Waits for its turn. False if the queue is too long. */
  async function turn(): Promise<boolean> {
    if (intervalMs === 0) return true;
    const asked = Date.now();
    const place = Math.max(asked, nextPlace);
    if (place - asked > waitMs) return false;
    nextPlace = place + distance();
    while (Date.now() < Math.max(place, freeAt)) {
      if (Date.now() - asked > 2 * waitMs) return false;
      await pause(Math.max(place - Date.now(), LOOK_MS));
    }
    freeAt = Date.now() + Math.max(distance(), LONGEST_MS);
    return true;
  }

  /** The platform's clock does not advance during computation, so read it after a pause. */
  async function timed<T>(work: () => Promise<T>): Promise<T> {
    const begun = Date.now();
    const result = await work();
    await pause(0);
    tookMs = Date.now() - begun;
    freeAt = Date.now() + Math.max(intervalMs - tookMs, tookMs * REST);
    return result;
  }

  return {
    async hash(password, like) {
      if (!(await turn())) return 'busy';
      const made = like === undefined ? undefined : read(like);
      const { N, r, p } = made ?? cost;
      const salt = made?.salt ?? randomBytes(16);
      const hash = await timed(() => derive(password.normalize('NFKC'), salt, { N, r, p }));
      return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
    },
    isSame(one, other) {
      const [a, b] = [Buffer.from(one), Buffer.from(other)];
      return a.length === b.length && timingSafeEqual(a, b);
    },
    isOutdated(stored) {
      const made = read(stored);
      return !made || made.N !== cost.N || made.r !== cost.r || made.p !== cost.p;
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function read(stored: string): (Cost & { salt: Buffer }) | undefined {
  const [, N, r, p, salt] = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$[\w-]+$/.exec(stored) ?? [];
  return salt ? { N: Number(N), r: Number(r), p: Number(p), salt: Buffer.from(salt, 'base64url') } : undefined;
}

const scryptKey: Derive = (password, salt, { N, r, p }) =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, LENGTH, { N, r, p, maxmem: 256 * N * r }, (cause, key) =>
      cause ? reject(cause) : resolve(key),
    );
  });
