import type { Size } from './plan.ts';
import type { DayWorld } from './world.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
/** The first zone's distance to UTC in winter; when the gateway's books are read again; and when staff come. */
export const FIRST_ZONE = 5;
const NIGHT_HOUR = 2;
const MORNING_HOUR = 6;

/**
 * Clinics to which 2 a.m. comes in the day, and how many of them were not reconciled by 6 a.m. of their own time, or by
 * the day's end where that is earlier; `latestMinutes`: after 2 a.m.
 */
export function nightsOf(world: DayWorld, { from, ms }: Size, zones: number) {
  const nights = { due: 0, late: 0, latestMinutes: 0 };
  const look = (zone: number, night: number) => {
    for (const clinic of world.clinics) {
      if (clinic.zone !== zone) continue;
      nights.due += 1;
      const ended = clinic.object
        .read<{ at: number | null }>('SELECT ended_at AS at FROM reconciliation_cursors')
        .map(({ at }) => ((at ?? 0) - night) / MINUTE);
      if (ended.length === 2 && Math.min(...ended) >= 0)
        nights.latestMinutes = Math.max(nights.latestMinutes, ...ended);
      else nights.late += 1;
    }
  };
  for (let zone = 0; zone < zones; zone++) {
    const night = from - (from % (24 * HOUR)) + (FIRST_ZONE + zone + NIGHT_HOUR) * HOUR;
    const morning = Math.min(night + (MORNING_HOUR - NIGHT_HOUR) * HOUR, from + ms);
    if (night >= from && morning - night >= 10 * MINUTE)
      world.engine.later(morning - world.engine.now(), () => look(zone, night));
  }
  return nights;
}
