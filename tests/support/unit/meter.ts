import { ASSETS } from '#tests/support/login';
import { openDb } from '#worker/data/db';
import { heardD1 } from './d1-line.ts';
import { LIMITS, refuse } from './platform-limits.ts';

/**
 * The cost of one invocation of the Worker. A batch is one database call, as the platform counts it, but as many
 * queries as it has statements.
 */
export type Usage = { calls: number; queries: number; rowsRead: number; rowsWritten: number; subrequests: number };

const nothing = (): Usage => ({ calls: 0, queries: 0, rowsRead: 0, rowsWritten: 0, subrequests: 0 });

/** A database with a meter. `take` returns the use since the last time and starts a new invocation. */
export function meteredDb(d1: D1Database) {
  const { open, ...meter } = meterOf();
  return Object.assign(meter, { db: open(d1) });
}

/** One meter for all databases that it opens: the platform counts their calls together. */
function meterOf() {
  const used = nothing();
  const meter = { isLimited: true };
  const metered = (d1: D1Database) =>
    heardD1(d1, {
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
    const taken = { ...used };
    Object.assign(used, nothing());
    return taken;
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
  const real = globalThis.fetch;
  globalThis.fetch = (...args: Parameters<typeof fetch>) => {
    count();
    return real(...args);
  };
  const counted = (bucket: R2Bucket) =>
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
  const spent = new Map<string, Usage>();
  return {
    db,
    installation,
    media: counted(MEDIA),
    anchors: counted(AUDIT_ANCHORS),
    backups: counted(BACKUPS),
    files,
    /** Counts a stand-in's call that would use the network. */
    count,
    /** The highest measured cost of each row of the ceilings. */
    spent,
    async measure<T>(row: string, work: () => Promise<T>): Promise<T> {
      take();
      metered.isLimited = true;
      const answer = await work();
      metered.isLimited = false;
      const [now, before] = [take(), spent.get(row) ?? nothing()];
      const most = (key: keyof Usage) => Math.max(now[key], before[key]);
      spent.set(row, {
        calls: most('calls'),
        queries: most('queries'),
        rowsRead: most('rowsRead'),
        rowsWritten: most('rowsWritten'),
        subrequests: most('subrequests'),
      });
      return answer;
    },
    close: () => {
      globalThis.fetch = real;
    },
  };
}

export type Meter = ReturnType<typeof openMeter>;
