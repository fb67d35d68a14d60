/** What a day cost, counted where it happened. */
export type Counts = ReturnType<typeof newCounts>;

export const newCounts = () => ({
  /** Of the objects: statements, rows of tables written and `setAlarm`, calls from a Worker, rings, time of turns (ms). */
  statements: 0,
  rowsWritten: 0,
  calls: 0,
  alarms: 0,
  turnMs: 0,
  /** Of the directory's D1. */
  d1Statements: 0,
  d1Rows: 0,
  /** Requests to a Worker, and runs of the cron. */
  requests: 0,
  crons: 0,
});

/** The most of something in one second. */
export function peakOf(now: () => number) {
  let [second, here, most] = [0, 0, 0];
  return {
    add() {
      const at = Math.floor(now() / 1000);
      if (at !== second) [second, here] = [at, 0];
      here += 1;
      most = Math.max(most, here);
    },
    most: () => most,
  };
}
