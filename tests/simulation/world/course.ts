import type { Random } from '#tests/support/seeded-random';
import { randomFrom } from '#tests/support/seeded-random';
import type { Choices } from '../engine/choices.ts';
import { type Disturbance, LINE_FAULTS, type Trip } from '../engine/network.ts';
import type { Theme } from './theme.ts';
import { calmMsOf, themeOf } from './themes.ts';

const RESETS = ['object-resets-before', 'object-resets-after'] as const;
/**
 * Faults of a database call, by its target: from a Worker to a clinic's object, in the object to its own storage, or to
 * the installation's D1.
 */
export const DATABASE_FAULTS = {
  clinic: ['object-fails-before', 'object-loses-answer', ...RESETS],
  own: ['storage-fails-before', 'storage-fails-after', ...RESETS],
  installation: ['d1-fails-before', 'd1-loses-answer'],
} as const;
export type Place = keyof typeof DATABASE_FAULTS;
export type DatabaseFault = (typeof DATABASE_FAULTS)[Place][number];

/** Duration in calm times of a statement, a trip each way and a file call (ms). */
const CALM_MS = { statement: 2, trip: 20, file: 5 };

const [SECOND, MINUTE] = [1000, 60_000];

/** Gateway calls that change something there. */
const CHANGING_CALLS = ['sale', 'terminal-sale', 'ach-sale', 'void', 'refund', 'close'];

/** Fault rates of a seed. Most seeds favor a few faults, so that these coincide in one run. */
type Weather = { line: number; vendor: number; database: number; file: number; jitter: number; favourites: string[] };

const FAVOURITES = [
  ...LINE_FAULTS,
  ...['late', 'answer-late', '500-after', 'html-after', 'wrong-amount-charged', 'wrong-amount-answered'],
  ...['declined', 'duplicate-error', 'other-order-answered', 'unknown-words', '500-before', 'hangs-before', 'stale'],
  ...['bad-json-after', 'empty-after', 'charged-twice', 'returned', 'returned-after-settled', 'token-refused'],
  ...['debit-cancelled', 'debit-unlisted', 'debit-on-hold'],
  ...['reader-cancelled', 'reader-timed-out', 'reader-slow', 'reader-busy', '401', '500', 'silent', 'slow'],
];

function weatherOf(noise: number, theme: Theme | null): Weather {
  const random = randomFrom(Math.floor(noise * 0xffffffff));
  if (theme?.trouble !== undefined) {
    const { trouble } = theme;
    return {
      line: trouble,
      vendor: trouble,
      database: trouble / 4,
      file: trouble,
      jitter: trouble * 3,
      favourites: [],
    };
  }
  if (theme) {
    if (theme.meets)
      return {
        line: 0.05,
        vendor: 0.1,
        database: theme.hasObjectFaults ? 0.04 : 0.01,
        file: 0.2,
        jitter: 0.2,
        favourites: [],
      };
    const favourites = [random.pick(theme.faults), random.pick(theme.faults)];
    const [line, vendor] = theme.isCalmExceptSales ? [0.02, 0.02] : theme.faultyCalls ? [0.4, 0.3] : [0.15, 0.3];
    return { line, vendor, database: 0, file: 0, jitter: 0.1, favourites };
  }
  if (random.chance(0.04)) return { line: 0, vendor: 0, database: 0, file: 0, jitter: 0, favourites: [] };
  return {
    line: random.pick([0.01, 0.05, 0.15, 0.35]),
    vendor: random.pick([0.01, 0.05, 0.15, 0.35]),
    database: random.pick([0, 0, 0.01, 0.05]),
    file: random.pick([0, 0, 0.1]),
    jitter: random.pick([0.05, 0.3, 0.8]),
    favourites: [random.pick(FAVOURITES), random.pick(FAVOURITES), random.pick(FAVOURITES)],
  };
}

export type Course = ReturnType<typeof courseOf>;

/** Delays and faults of every trip, statement and file, by the seed. In quiet time there are no faults. */
export function courseOf(choices: Choices, now: () => number, mayMeet: (call: string, fault: string) => boolean) {
  const theme = themeOf(choices);
  const weather = weatherOf(choices.noise('weather'), theme);
  let isQuiet = false;
  let calmUntil = 0;
  const plannedFaults = new Map<string, string>();

  const delay = (key: string, calm: number, maxMs: number) =>
    choices.choose(key, calm, (random) => {
      if (!random.chance(weather.jitter)) return calm;
      const size = random.next();
      if (size < 0.6) return calm + random.below(calm * 10);
      return size < 0.9 ? random.below(2 * SECOND) : random.below(maxMs);
    });

  /** Delay between two statements of a turn, in which other calls may enter the object. */
  const shortDelay = (key: string) =>
    choices.choose(`${key} takes`, 0, (random) => (random.chance(weather.jitter) ? random.below(50) : 0));

  function pick(random: Random, faults: readonly string[]): string | null {
    const favourites = faults.filter((fault) => weather.favourites.includes(fault));
    if (favourites.length > 0 && random.chance(0.7)) return random.pick(favourites);
    return faults.length > 0 ? random.pick(faults) : null;
  }

  const isCalm = () => isQuiet || now() < calmUntil;

  return {
    becomeQuiet() {
      isQuiet = true;
    },
    isQuiet: () => isQuiet,

    /** Called before the first move; a theme may have a calm time before its faults. */
    begin() {
      calmUntil = now() + calmMsOf(theme);
    },

    /** Plans a fault for this deed's changing call to the gateway, if that call can have it. */
    plan(deed: string, fault: string) {
      plannedFaults.set(deed, fault);
    },

    disturb({ station, call, caller, key }: Trip): Disturbance {
      const calm = { fault: null, thereMs: CALM_MS.trip, backMs: CALM_MS.trip };
      if (isQuiet) return calm;
      const deed = caller.replace(/\+\w+$/, '');
      const planned = CHANGING_CALLS.includes(call) ? plannedFaults.get(deed) : undefined;
      if (planned && (planned === 'answer-lost' || station.faultsOf(call).includes(planned))) {
        plannedFaults.delete(deed);
        return { ...calm, fault: planned };
      }
      if (isCalm()) return calm;
      const fault = choices.choose<string | null>(`${key} meets`, null, (random) => {
        if (theme?.isCalmExceptSales && call === 'sale' && random.chance(0.8)) return random.pick(theme.faults);
        const size = random.next();
        if (theme?.faultyCalls && !theme.faultyCalls.includes(call)) return null;
        if (size < weather.line) return pick(random, LINE_FAULTS);
        if (size >= weather.line + weather.vendor) return null;
        return pick(
          random,
          station.faultsOf(call).filter((name) => mayMeet(call, name)),
        );
      });
      // Well within the hold of 15 minutes: no hold can prevent anything later.
      const late = (name: string, calmMs: number) =>
        choices.choose(`${key} ${name} late`, calmMs, (random) =>
          Math.floor(random.pick([10 * SECOND, 40 * SECOND, 3 * MINUTE, 12 * MINUTE]) * (0.2 + 0.8 * random.next())),
        );
      return {
        fault,
        thereMs: fault === 'arrives-late' ? late('there', MINUTE) : delay(`${key} there`, CALM_MS.trip, 8 * SECOND),
        backMs: fault === 'answers-late' ? late('back', MINUTE) : delay(`${key} back`, CALM_MS.trip, 8 * SECOND),
      };
    },

    statement(key: string, place: Place): { fault: DatabaseFault | null; ms: number } {
      const isOwn = place === 'own';
      if (isCalm()) return { fault: null, ms: isOwn ? 0 : CALM_MS.statement };
      return {
        fault: choices.choose<DatabaseFault | null>(`${key} meets`, null, (random) =>
          random.chance(weather.database) ? random.pick(DATABASE_FAULTS[place]) : null,
        ),
        ms: isOwn ? shortDelay(key) : delay(`${key} takes`, CALM_MS.statement, 10 * SECOND),
      };
    },

    /** Loss and delay of a clinic's alarm. */
    alarm(key: string): { isLost: boolean; ms: number } {
      if (isCalm()) return { isLost: false, ms: 0 };
      return {
        isLost: choices.choose(`${key} is lost`, false, (random) => random.chance(0.05)),
        ms: choices.choose(`${key} is late by`, 0, (random) => (random.chance(0.1) ? random.below(MINUTE) : 0)),
      };
    },

    file(key: string): { isLost: boolean; ms: number } {
      if (isCalm()) return { isLost: false, ms: CALM_MS.file };
      return {
        isLost: choices.choose(`${key} is lost`, false, (random) => random.chance(weather.file)),
        ms: CALM_MS.file,
      };
    },

    /** True if the client is still there when its response arrives. */
    isHeard: (key: string) =>
      isCalm() || choices.choose(`${key} is heard`, true, (random) => !random.chance(weather.line / 3)),
  };
}
