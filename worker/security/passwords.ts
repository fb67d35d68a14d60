import { Buffer } from 'node:buffer';
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * Slow salted hashes, `scrypt$N$r$p$salt$hash`. Each takes about 200 ms of the isolate's only thread. Hashes therefore
 * wait in a queue with long pauses, and a caller that would wait too long is refused; otherwise four concurrent logins
 * would block every other route.
 */
export type Passwords = {
  /** Hashes with the salt and parameters of `existingHash` if given. `busy`: the queue is full. */
  hash(password: string, existingHash?: string): Promise<string | 'busy'>;
  isSame(first: string, second: string): boolean;
  /** True if the parameters of the hash are not the current ones. */
  isOutdated(stored: string): boolean;
};

type DeriveKey = (password: string, salt: Buffer, cost: Cost) => Promise<Buffer>;

export type Cost = { N: number; r: number; p: number };

/** The platform allows at most N·r·p = 2^20; N = 2^17 would use all the memory of an isolate. */
export const COST: Cost = { N: 2 ** 15, r: 8, p: 3 };
const KEY_BYTES = 32;

/** After a hash, the thread is left to other requests for this many times the hash's duration. */
const REST_FACTOR = 2;
/** The interval (ms) at which a waiting request checks whether the thread is free. */
const POLL_MS = 50;
/** The maximum time (ms) for which a running hash blocks others, in case its request is canceled and never finishes. */
const MAX_BLOCK_MS = 5000;

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
  derive?: DeriveKey;
}): Passwords {
  // The queue uses timestamps instead of a promise chain, because a request that is canceled while it waits must not
  // block the others.
  let nextTurnAt = 0;
  let freeAt = 0;
  let lastDurationMs = 0;
  const gapMs = () => Math.max(intervalMs, lastDurationMs * (1 + REST_FACTOR));

  /** Waits for the caller's turn. Returns false if the queue is too long. */
  async function waitForTurn(): Promise<boolean> {
    if (intervalMs === 0) return true;
    const requestedAt = Date.now();
    const turnAt = Math.max(requestedAt, nextTurnAt);
    if (turnAt - requestedAt > waitMs) return false;
    nextTurnAt = turnAt + gapMs();
    while (Date.now() < Math.max(turnAt, freeAt)) {
      if (Date.now() - requestedAt > 2 * waitMs) return false;
      await pause(Math.max(turnAt - Date.now(), POLL_MS));
    }
    freeAt = Date.now() + Math.max(gapMs(), MAX_BLOCK_MS);
    return true;
  }

  /**
   * Runs the work and measures its duration. The platform's clock does not advance during computation, so it is read
   * after a pause.
   */
  async function runTimed<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = Date.now();
    const result = await work();
    await pause(0);
    lastDurationMs = Date.now() - startedAt;
    freeAt = Date.now() + Math.max(intervalMs - lastDurationMs, lastDurationMs * REST_FACTOR);
    return result;
  }

  return {
    async hash(password, existingHash) {
      if (!(await waitForTurn())) return 'busy';
      const parsed = existingHash === undefined ? undefined : parse(existingHash);
      const { N, r, p } = parsed ?? cost;
      const salt = parsed?.salt ?? randomBytes(16);
      const hash = await runTimed(() => derive(password.normalize('NFKC'), salt, { N, r, p }));
      return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
    },
    isSame(first, second) {
      const [a, b] = [Buffer.from(first), Buffer.from(second)];
      return a.length === b.length && timingSafeEqual(a, b);
    },
    isOutdated(stored) {
      const parsed = parse(stored);
      return !parsed || parsed.N !== cost.N || parsed.r !== cost.r || parsed.p !== cost.p;
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function parse(stored: string): (Cost & { salt: Buffer }) | undefined {
  const [, N, r, p, salt] = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$[\w-]+$/.exec(stored) ?? [];
  return salt ? { N: Number(N), r: Number(r), p: Number(p), salt: Buffer.from(salt, 'base64url') } : undefined;
}

const scryptKey: DeriveKey = (password, salt, { N, r, p }) =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (cause, key) =>
      cause ? reject(cause) : resolve(key),
    );
  });
