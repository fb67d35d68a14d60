/** Usage of a simulated day, counted at its source. */
export type Counts = ReturnType<typeof newCounts>;

export const newCounts = () => ({
  /** Objects: statements, rows written in tables and by `setAlarm`, calls from a Worker, alarms, time in turns (ms). */
  statements: 0,
  rowsWritten: 0,
  calls: 0,
  alarms: 0,
  turnMs: 0,
  /** The directory's D1. */
  d1Statements: 0,
  d1Rows: 0,
  /** Requests to a Worker, and cron runs. */
  requests: 0,
  crons: 0,
});

/** The highest count within one second. */
export function peakOf(now: () => number) {
  let [second, count, max] = [0, 0, 0];
  return {
    add() {
      const at = Math.floor(now() / 1000);
      if (at !== second) [second, count] = [at, 0];
      count += 1;
      max = Math.max(max, count);
    },
    max: () => max,
  };
}
