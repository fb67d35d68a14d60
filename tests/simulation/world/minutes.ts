import type { World } from './world.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** The schedule, minute by minute. Minutes in which nothing is due are left out, to save time. */
export function minutesOf(world: World) {
  const { engine, database, choices, product, story } = world;

  const dueAt = (): number => {
    const [row] = database.read<{ at: number | null }>(`SELECT min(at) AS at FROM (
      SELECT min(next_check_at) AS at FROM payment_attempts WHERE next_check_at IS NOT NULL
      UNION ALL SELECT min(next_try_at) FROM outbox WHERE state = 'due'
      UNION ALL SELECT min(next_check_at) FROM reversals WHERE next_check_at IS NOT NULL
      UNION ALL SELECT min(next_at) FROM match_marks)`);
    return row?.at ?? Number.POSITIVE_INFINITY;
  };

  function run(name: string, ended: () => void) {
    story.note('the schedule', 'runs');
    world.ask(name, (deps) => product.runSchedule(deps), ended);
  }

  /** Until it is quiet: every minute, but some are lost. */
  function begin() {
    engine.later(MINUTE, () => {
      if (world.course.isQuiet()) return;
      begin();
      const name = `minute ${engine.now()}`;
      if (dueAt() > engine.now()) return;
      const isLost = choices.choose(`${name} is lost`, false, (random) => random.chance(0.12));
      if (isLost) {
        world.fault('minute-lost');
        story.note('the schedule', 'a minute is lost');
      } else run(name, () => undefined);
    });
  }

  /** In quiet time: when something is due, with longer and longer pauses, until `end` (UTC ms). */
  function goOnUntil(end: number, over: () => void) {
    const from = engine.now();
    let rounds = 0;
    const next = () => {
      const age = engine.now() - from;
      const pause = age < 30 * MINUTE ? MINUTE : age < 3 * 60 * MINUTE ? 15 * MINUTE : DAY / 8;
      const due = rounds === 0 ? engine.now() : dueAt();
      const at = Math.min(Math.max(engine.now() + pause, Math.min(due, end)), end);
      engine.later(at - engine.now(), () => {
        rounds += 1;
        run(`quiet ${rounds}`, () => (engine.now() >= end ? over() : next()));
      });
    };
    next();
  }

  return { begin, goOnUntil, twice: (name: string) => run(name, () => undefined) };
}
