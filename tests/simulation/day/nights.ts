import type { Size } from './plan.ts';
import type { DayWorld } from './world.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
/** Hours of the first zone behind UTC in winter; local hours of the nightly reconciliation and of the morning. */
export const FIRST_ZONE = 5;
const NIGHT_HOUR = 2;
const MORNING_HOUR = 6;

/**
 * Counts the clinics with 2 a.m. local time in the day, and those not reconciled by 6 a.m. local time or by the day's
 * end if that is earlier. `latestMinutes`: latest reconciliation in minutes after 2 a.m.
 */
export function nightsOf(world: DayWorld, { from, ms }: Size, zones: number) {
  const nights = { due: 0, late: 0, latestMinutes: 0 };
  const checkZone = (zone: number, night: number) => {
    for (const clinic of world.clinics) {
      if (clinic.zone !== zone) continue;
      nights.due += 1;
      const minutesAfterNight = clinic.object
        .read<{ at: number | null }>('SELECT ended_at AS at FROM reconciliation_cursors')
        .map(({ at }) => ((at ?? 0) - night) / MINUTE);
      if (minutesAfterNight.length === 2 && Math.min(...minutesAfterNight) >= 0)
        nights.latestMinutes = Math.max(nights.latestMinutes, ...minutesAfterNight);
      else nights.late += 1;
    }
  };
  for (let zone = 0; zone < zones; zone++) {
    const night = from - (from % (24 * HOUR)) + (FIRST_ZONE + zone + NIGHT_HOUR) * HOUR;
    const morning = Math.min(night + (MORNING_HOUR - NIGHT_HOUR) * HOUR, from + ms);
    if (night >= from && morning - night >= 10 * MINUTE)
      world.engine.later(morning - world.engine.now(), () => checkZone(zone, night));
  }
  return nights;
}
