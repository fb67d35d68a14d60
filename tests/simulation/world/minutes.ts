import type { IdleTime } from './clinic-object.ts';
import type { World } from './world.ts';

const MINUTE = 60_000;
/** Of the cron's minutes those in which it wakes silent clinics; it finds nothing else to do here. */
const WAKES_MS = 5 * MINUTE;

/** The cron of the installation: it wakes a clinic whose alarm was lost. */
export function minutesOf({ engine, choices, course, clinic, database, story, fault, cron }: World) {
  const nameOf = () => `cron ${engine.now()}`;

  /** Until it is quiet; some are lost. While people do nothing for long, those are left out that would find an alarm set. */
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

  /** In quiet time, until `end` (UTC ms). Minutes that would find an alarm set are left out, to save time. */
  function goOnUntil(end: number, over: () => void) {
    clinic.becomeQuiet();
    const next = () =>
      // The last turn may be under way: it is waited for.
      engine.later(engine.now() >= end ? 1000 : Math.max(WAKES_MS, clinic.pauseMs()), () => {
        if (engine.now() >= end && engine.isIdle()) return over();
        if (database.alarmAt() === null) cron(nameOf());
        next();
      });
    next();
  }

  return { begin, goOnUntil };
}
