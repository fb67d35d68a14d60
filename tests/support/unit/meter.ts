import { ASSETS } from '#tests/support/login';
import { openDb } from '#worker/data/db';
import { openWithListener } from './d1-line.ts';
import { LIMITS, refuse } from './platform-limits.ts';

/**
 * The cost of one invocation of the Worker. A batch is one database call, as the platform counts it, but each of its
 * statements is a query.
 */
export type Usage = { calls: number; queries: number; rowsRead: number; rowsWritten: number; subrequests: number };

const noUsage = (): Usage => ({ calls: 0, queries: 0, rowsRead: 0, rowsWritten: 0, subrequests: 0 });

/** A database with a meter. `take` returns the usage since the last call and starts a new invocation. */
export function meteredDb(d1: D1Database) {
  const { open, ...meter } = meterOf();
  return Object.assign(meter, { db: open(d1) });
}

/** One meter for all databases that it opens, because the platform counts their calls together. */
function meterOf() {
  const used = noUsage();
  const meter = { isLimited: true };
  const metered = (d1: D1Database) =>
    openWithListener(d1, {
      ask: (questions) => {
        used.calls += 1;
        used.queries += questions.length;
        if (meter.isLimited && used.calls > LIMITS.queries)
          refuse(`more than ${LIMITS.queries} queries in one invocation`);
      },
      answer: (answers) => {
        for (const { meta } of answers) {
          used.rowsRead += meta?.rows_read ?? 0;
          used.rowsWritten += meta?.rows_written ?? 0;
        }
      },
    });
  const take = (): Usage => {
    const usage = { ...used };
    Object.assign(used, noUsage());
    return usage;
  };
  return Object.assign(meter, { open: (d1: D1Database) => openDb(metered(d1)), used, take });
}

type Metered = {
  DB: D1Database;
  INSTALLATION: D1Database;
  MEDIA: R2Bucket;
  AUDIT_ANCHORS: R2Bucket;
  BACKUPS: R2Bucket;
};

/**
 * Meters all calls of a Worker: database, bucket, built files, and the network until it is closed. Only work inside
 * `measure` counts.
 */
export function openMeter({ DB, INSTALLATION, MEDIA, AUDIT_ANCHORS, BACKUPS }: Metered) {
  const metered = meterOf();
  const { open, used, take } = metered;
  const [db, installation] = [open(DB), open(INSTALLATION)];
  metered.isLimited = false;
  const count = () => {
    used.subrequests += 1;
  };
  const originalFetch = globalThis.fetch;
  globalThis.fetch = (...args: Parameters<typeof fetch>) => {
    count();
    return originalFetch(...args);
  };
  const countedBucket = (bucket: R2Bucket) =>
    new Proxy(bucket, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          count();
          return Reflect.apply(value, target, args);
        };
      },
    });
  const files = {
    fetch: (url: string) => {
      count();
      return ASSETS.fetch(url);
    },
  };
  const costs = new Map<string, Usage>();
  return {
    db,
    installation,
    media: countedBucket(MEDIA),
    anchors: countedBucket(AUDIT_ANCHORS),
    backups: countedBucket(BACKUPS),
    files,
    /** Counts a call of a test double that would use the network. */
    count,
    /** The highest measured cost of each row of the ceilings. */
    costs,
    async measure<T>(row: string, work: () => Promise<T>): Promise<T> {
      take();
      metered.isLimited = true;
      const answer = await work();
      metered.isLimited = false;
      const [now, highestSoFar] = [take(), costs.get(row) ?? noUsage()];
      const highest = (key: keyof Usage) => Math.max(now[key], highestSoFar[key]);
      costs.set(row, {
        calls: highest('calls'),
        queries: highest('queries'),
        rowsRead: highest('rowsRead'),
        rowsWritten: highest('rowsWritten'),
        subrequests: highest('subrequests'),
      });
      return answer;
    },
    close: () => {
      globalThis.fetch = originalFetch;
    },
  };
}

export type Meter = ReturnType<typeof openMeter>;
