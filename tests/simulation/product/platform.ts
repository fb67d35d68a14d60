import { createCipheriv, createDecipheriv, createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { deflateRawSync, gzipSync, inflateSync } from 'node:zlib';

/**
 * The platform of the bundled product: each member replaces the global of the same name. Everything is synchronous or
 * parked in the simulation, because a real thread would respond at a time that the seed does not determine.
 * `Math.random` and the ids come from `chance`.
 */
export type Platform = {
  fetch(url: string, init: { method?: string; headers?: HeadersInit; body?: string; signal?: TimeLimit }): unknown;
  timeout(ms: number): TimeLimit;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  now(): number;
  random(): number;
  crypto: unknown;
  Blob: unknown;
  CompressionStream: unknown;
  DecompressionStream: unknown;
  Response: unknown;
  DateTimeFormat: unknown;
  /** A map or a set in the memory of the current isolate. */
  memory(name: string): Memory;
};

export type Memory = Pick<Map<unknown, unknown>, 'get' | 'has' | 'delete'> & {
  set(key: unknown, value: unknown): void;
  add(key: unknown): void;
};

/** `memory`: returns the memory of the current isolate, which differs per isolate and life. */
export const memoryOf = (memory: () => Map<string, unknown>, name: string): Memory => {
  const keyOf = (key: unknown) => `${name} ${key}`;
  return {
    get: (key) => memory().get(keyOf(key)),
    has: (key) => memory().has(keyOf(key)),
    delete: (key) => memory().delete(keyOf(key)),
    set: (key, value) => void memory().set(keyOf(key), value),
    add: (key) => void memory().set(keyOf(key), true),
  };
};

/** The simulated result of `AbortSignal.timeout`. */
export type TimeLimit = { ms: number };

/** Names in the product's source with the platform members that replace them. */
export const REPLACED: Record<string, string> = {
  fetch: 'platform.fetch',
  'AbortSignal.timeout': 'platform.timeout',
  setTimeout: 'platform.setTimeout',
  clearTimeout: 'platform.clearTimeout',
  'Date.now': 'platform.now',
  'Math.random': 'platform.random',
  crypto: 'platform.crypto',
  Blob: 'platform.Blob',
  CompressionStream: 'platform.CompressionStream',
  DecompressionStream: 'platform.DecompressionStream',
  Response: 'platform.Response',
  'Intl.DateTimeFormat': 'platform.DateTimeFormat',
};

/** The part of Web Crypto that the product's verbs use, synchronous. */
export function cryptoFrom(random: () => number) {
  const fill = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(random() * 256);
    return bytes;
  };
  type Params = { iv: Uint8Array; additionalData: Uint8Array };
  const TAG_BYTES = 16;
  return {
    getRandomValues: fill,
    randomUUID() {
      const hex = Buffer.from(fill(new Uint8Array(16))).toString('hex');
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    },
    subtle: {
      importKey: async (_format: string, key: Uint8Array) => createSecretKey(key),
      digest: async (_name: string, bytes: Uint8Array) => createHash('sha256').update(bytes).digest(),
      async encrypt({ iv, additionalData }: Params, key: KeyObject, plain: Uint8Array) {
        const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(additionalData);
        return new Uint8Array(Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
      },
      async decrypt({ iv, additionalData }: Params, key: KeyObject, sealed: Uint8Array) {
        const cipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(additionalData);
        cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
        return new Uint8Array(Buffer.concat([cipher.update(sealed.subarray(0, -TAG_BYTES)), cipher.final()]));
      },
    },
  };
}

type Change = (bytes: Buffer) => Buffer;

/** A blob that can only be compressed or decompressed. */
class SyncBlob {
  readonly #bytes: Buffer;

  constructor(parts: (Uint8Array | string)[]) {
    this.#bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  }

  stream() {
    return { pipeThrough: ({ change }: { change: Change }) => [change(this.#bytes)] };
  }
}

class Compression {
  readonly change: Change;

  constructor(format: string) {
    this.change = format === 'gzip' ? gzipSync : deflateRawSync;
  }
}

class Decompression {
  readonly change: Change = inflateSync;
}

class SyncResponse {
  readonly #parts: Buffer[];

  constructor(parts: Buffer[]) {
    this.#parts = parts;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return Uint8Array.from(Buffer.concat(this.#parts)).buffer;
  }
}

/** The part of the global streams of the same names that the product's verbs use, synchronous. */
export const syncStreams = {
  Blob: SyncBlob,
  CompressionStream: Compression,
  DecompressionStream: Decompression,
  Response: SyncResponse,
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** The real formatter, cached by its options: creating one takes longer than a whole step of a run. */
export class CachedDateTimeFormat {
  constructor(locale: string, options: Intl.DateTimeFormatOptions) {
    const key = JSON.stringify([locale, options]);
    const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
    formats.set(key, format);
    // biome-ignore lint/correctness/noConstructorReturn: the product calls it with `new`
    return format as unknown as CachedDateTimeFormat;
  }
}
