import { choicesFrom, choicesOf, type Decision } from './engine/choices.ts';
import { illegalMoves, violationsNow } from './judge/always.ts';
import { createCoverage } from './judge/coverage.ts';
import { decisionWatch } from './judge/decided.ts';
import { tornDumps } from './judge/dumps.ts';
import { featuresOf } from './judge/features.ts';
import { wrongFigures } from './judge/figures.ts';
import { finalViolations } from './judge/finally.ts';
import { wrongReceipts } from './judge/mails.ts';
import type { Coverage } from './judge/reached.ts';
import { renewalWatch } from './judge/renewals.ts';
import { type MoveRow, readScene } from './judge/scene.ts';
import { type Wait, waitsOf } from './judge/waits.ts';
import type { Simulator } from './simulator.ts';
import { QUIET_MS } from './world/clinic-object.ts';
import { dayOf, EVERYTHING, everythingOf, ZONE } from './world/everything.ts';
import { openInParts } from './world/in-parts.ts';
import { minutesOf } from './world/minutes.ts';
import { addSecondPerson, officeOf, prepareOffice, recordInCrm } from './world/office.ts';
import { payersOf } from './world/payers.ts';
import { planOf } from './world/plan.ts';
import { gatewayKnobs, mayMeet, priceWatch } from './world/rules-of-the-game.ts';
import { START } from './world/setting.ts';
import { staffOf } from './world/staff.ts';
import type { Feature, Line } from './world/story.ts';
import { themeOf } from './world/themes.ts';
import { troubleOf } from './world/trouble.ts';
import { upheavalOf } from './world/upheaval.ts';
import { createWorld, type World } from './world/world.ts';

export type RunOptions = {
  /** Decisions to repeat instead of drawing them by the seed. */
  decisions?: Decision[];
  isTraced?: boolean;
  /** Name of a theme, instead of the one that the seed draws. */
  theme?: string | null;
  /** Overrides of the product's settings. */
  settings?: Record<string, unknown>;
};

export type Outcome = {
  seed: number;
  theme: string | null;
  violations: string[];
  /** All decisions that differ from the calm default, in the order of their requests. */
  decisions: Decision[];
  reached: Coverage;
  trace: Line[];
  steps: number;
  waits: Wait[];
  /** Payment features that the run reached. */
  features: Feature[];
};

const MINUTE = 60_000;
/** Time from the start of every run until shortly before the gateway's nightly batch close. */
const UNTIL_NIGHT_MS = 11.5 * 3_600_000;
const MAX_STEPS = 60_000;

/** Runs the product from the first move to days of quiet. Stops at the first step that violates a rule. */
export async function runSeed(simulator: Simulator, seed: number, options: RunOptions = {}): Promise<Outcome> {
  const { theme = null } = options;
  const choices = options.decisions ? choicesFrom(seed, options.decisions, theme) : choicesOf(seed, theme);
  const day = dayOf(choices);
  const { product, database, installation, initialRecords, setWorld, start } = await simulator.startingAt(
    day?.start ?? START,
  );
  const violations: string[] = [];
  database.beginRun();
  installation.beginRun();
  try {
    const watchPrice = priceWatch(violations);
    const decisions = decisionWatch();
    const renewals = renewalWatch();
    const world = createWorld({
      choices,
      product,
      database,
      installation,
      initialRecords,
      isTraced: options.isTraced ?? false,
      start,
      day: day?.name ?? null,
      overrides: options.settings ?? {},
      rotates: choices.choose('the CRM rotates refresh tokens', false, (random) => random.chance(0.5)),
      mayMeet,
      watch: {
        onSent(sender, trip, disturbance) {
          watchPrice(sender, trip.request, trip.call);
          decisions.onSent(sender, trip.request, trip.call);
          renewals.onSent(sender, trip, disturbance);
        },
        onAnswer: renewals.onAnswer,
        onDatabaseFault: renewals.onDatabaseFault,
      },
    });
    setWorld(world);
    gatewayKnobs(world);
    const coverage = createCoverage(world);
    const judge = judgeOf(world, violations, (moves) => {
      for (const move of moves) coverage.addMove(move);
      violations.push(...decisions.violations(world, () => readScene(world), moves));
    });
    const step = async () => {
      const isRunning = (await world.engine.step()) && violations.length === 0;
      judge();
      coverage.step();
      if (world.engine.steps() > MAX_STEPS) violations.push('L: it never becomes quiet');
      return isRunning && violations.length === 0;
    };
    const busyUntil = scheduleMoves(world, day?.firstAt);
    while ((world.engine.nextAt() ?? Number.POSITIVE_INFINITY) <= busyUntil && (await step()));
    if (violations.length === 0) await becomeQuiet(world, step);
    if (violations.length === 0)
      violations.push(
        ...finalViolations(readScene(world)),
        ...wrongReceipts(readScene(world)),
        ...renewals.violations(world),
        ...brokenTrail(world),
        ...tornDumps(world),
      );
    if (violations.length === 0 && theme === EVERYTHING) violations.push(...(await wrongFigures(world, step)));
    return {
      seed,
      theme,
      violations: [...new Set(violations)],
      decisions: [...choices.decisions()],
      reached: coverage.reached(),
      trace: world.story.lines,
      steps: world.engine.steps(),
      waits: waitsOf(world),
      features: featuresOf(world),
    };
  } finally {
    database.discardRun();
    installation.discardRun();
  }
}

/**
 * Only the product writes to the audit trail, so its chain must hold after any interruption. After a restore, sealed
 * events are missing and the alert reports it, as the runbook describes.
 */
const brokenTrail = ({ story, restoredAt }: World): string[] =>
  story.alerts.has('audit-trail-broken') && restoredAt === null ? ['T: the audit trail is found broken'] : [];

/** Time (ms) after a move and before the next one that does not count as idle. */
const IDLE_MARGIN_MS = 30 * MINUTE;

/** Schedules all moves; returns when quiet begins (UTC ms). */
function scheduleMoves(world: World, firstAt: number | undefined): number {
  const { engine, choices } = world;
  const isTokenOld = themeOf(choices)?.isTokenOld ?? false;
  engine.jump(
    choices.choose('the first move comes later by', 0, (random) => (isTokenOld ? 30 : random.below(31)) * MINUTE),
  );
  const isLate = choices.choose('the first move comes just before the night', false, (random) => random.chance(0.1));
  if (isLate) engine.jump(UNTIL_NIGHT_MS);
  if (firstAt !== undefined) engine.jump(firstAt - engine.now());
  world.course.begin();
  openInParts(world);
  prepare(world);
  const startedAt = engine.now();
  const payers = payersOf(world);
  const minutes = minutesOf(world);
  const deeds = { ...payers, ...staffOf(world), ...troubleOf(world), ...officeOf(world), ...upheavalOf(world) };
  const plan = planOf(choices);
  for (const move of plan) {
    const name = `${move.do} ${move.n}`;
    engine.later(move.at, () => {
      world.beginAct(name);
      if (typeof move.meets === 'string') world.course.plan(name, move.meets);
      if (move.do === 'schedule-twice') world.clinic.ring(name);
      else deeds[move.do](move, name);
    });
  }
  const times = plan.map(({ at }) => startedAt + at);
  const idleTimes = times
    .map((time, n) => ({ from: (times[n - 1] ?? startedAt) + IDLE_MARGIN_MS, to: time - IDLE_MARGIN_MS }))
    .filter(({ from, to }) => from < to);
  world.clinic.setIdleTimes(idleTimes);
  minutes.begin(idleTimes);
  const last = Math.max(0, ...plan.map((move) => move.at));
  const wait = choices.choose('quiet begins after', 0, (random) => random.pick([0, 0, 1, 4, 18]) * MINUTE);
  return startedAt + last + MINUTE + wait;
}

/** Sets up a run of every feature before its first move. */
function prepare(world: World): void {
  const { choices } = world;
  if (choices.theme !== EVERYTHING) return;
  prepareOffice(world, ZONE);
  world.zones.push({ from: 0, zone: ZONE });
  const { hasSecondPerson, recordsInCrm } = everythingOf(choices);
  if (choices.choose('a second person approves', false, () => hasSecondPerson)) addSecondPerson(world);
  if (choices.choose('payments are recorded in the CRM', false, () => recordsInCrm)) recordInCrm(world);
}

/** Ends all faults and lets days pass. */
async function becomeQuiet(world: World, step: () => Promise<boolean>): Promise<void> {
  const { engine, course, gateway, crm, mail, story } = world;
  story.note('the world', 'becomes quiet');
  course.becomeQuiet();
  story.endOutages();
  gateway.faults.clear();
  gateway.knobs.faultShare = 0;
  crm.heal();
  mail.heal();
  let isOver = false;
  minutesOf(world).continueUntil(engine.now() + QUIET_MS, () => {
    isOver = true;
  });
  while (!isOver && (await step()));
}

/** Checks the rules whenever the database, the gateway or the messages to people have changed. */
function judgeOf(world: World, violations: string[], onMoves: (moves: MoveRow[]) => void) {
  const seen = { database: 0, gateway: 0, messages: 0, seq: 0 };
  return () => {
    const { version, story, database } = world;
    let isSame = version.gateway === seen.gateway && story.messages.length === seen.messages;
    if (version.database !== seen.database) {
      const [newest] = database.read<{ seq: number | null }>('SELECT max(seq) AS seq FROM moves');
      // A restore removed some of them.
      seen.seq = Math.min(seen.seq, newest?.seq ?? 0);
      const moves = database.read<MoveRow>('SELECT * FROM moves WHERE seq > ? ORDER BY seq', seen.seq);
      seen.seq = moves.at(-1)?.seq ?? seen.seq;
      violations.push(...illegalMoves(moves, world.restoredAt !== null));
      onMoves(moves);
      isSame &&= moves.length === 0;
    }
    Object.assign(seen, { ...version, messages: story.messages.length });
    if (!isSame) violations.push(...violationsNow(readScene(world)));
  };
}
