import type { IdleTime } from './clinic-object.ts';
import type { World } from './world.ts';

const MINUTE = 60_000;
/** Interval of the cron runs that wake silent clinics; the other runs have nothing to do here. */
const WAKES_MS = 5 * MINUTE;

/** The cron of the installation: it wakes a clinic whose alarm was lost. */
export function minutesOf({ engine, choices, course, clinic, database, story, fault, cron }: World) {
  const nameOf = () => `cron ${engine.now()}`;

  /** Runs the cron until quiet time; some runs are lost. Idle times skip the runs that would find an alarm set. */
  function begin(idleTimes: IdleTime[]) {
    engine.later(WAKES_MS, () => {
      if (course.isQuiet()) return;
      begin(idleTimes);
      const name = nameOf();
      const isIdle = idleTimes.some(({ from, to }) => engine.now() > from && engine.now() < to);
      if (isIdle && database.alarmAt() !== null) return;
      const isLost = choices.choose(`${name} is lost`, false, (random) => random.chance(0.12));
      if (isLost) {
        fault('minute-lost');
        story.note('the schedule', 'a minute is lost');
      } else cron(name);
    });
  }

  /** Runs the cron in quiet time until `end` (UTC ms). Runs that would find an alarm set are skipped to save time. */
  function continueUntil(end: number, onEnd: () => void) {
    clinic.becomeQuiet();
    const next = () =>
      // Waits for the last turn, which may still be running.
      engine.later(engine.now() >= end ? 1000 : Math.max(WAKES_MS, clinic.pauseMs()), () => {
        if (engine.now() >= end && engine.isIdle()) return onEnd();
        if (database.alarmAt() === null) cron(nameOf());
        next();
      });
    next();
  }

  return { begin, continueUntil };
}
