import { type Db, openDb } from '#worker/data/db';
import { heardD1 } from './d1-line.ts';
import { LIMITS, refuse } from './platform-limits.ts';

/** What an invocation of the Worker cost. A batch is one call and as many queries as it has statements. */
export type Usage = { calls: number; queries: number; rowsRead: number; rowsWritten: number; subrequests: number };

const nothing = (): Usage => ({ calls: 0, queries: 0, rowsRead: 0, rowsWritten: 0, subrequests: 0 });

/** The database with a meter on it. `take` answers what was used since the last time. */
export function meteredDb(d1: D1Database): { db: Db; used: Usage; take(): Usage } {
  const used = nothing();
  const metered = heardD1(d1, {
    ask: (questions) => {
      used.calls += 1;
      used.queries += questions.length;
      if (used.queries > LIMITS.queries) refuse(`more than ${LIMITS.queries} queries in one invocation`);
    },
    answer: (answers) => {
      for (const { meta } of answers) {
        used.rowsRead += meta?.rows_read ?? 0;
        used.rowsWritten += meta?.rows_written ?? 0;
      }
    },
  });
  return {
    db: openDb(metered),
    used,
    take: () => {
      const taken = { ...used };
      Object.assign(used, nothing());
      return taken;
    },
  };
}
