import type { Bundle } from '../product/load.ts';
import { type Sample, sampleOf } from './backlog.ts';
import { FOUNDING_MS, foundAll } from './found.ts';
import { freshnessOf, OWED_MS } from './freshness.ts';
import { nightsOf } from './nights.ts';
import { type Bill, payersOf } from './payers.ts';
import { type Plan, planOf, type Size, ZONES } from './plan.ts';
import { staffOf } from './staff.ts';
import { createDayWorld, type DayWorld } from './world.ts';

const MINUTE = 60_000;
const SAMPLES_EVERY_MS = 5 * MINUTE;
/** Time after the day: requests from its last minutes get their responses, and unknown payments are resolved. */
const AFTER_MS = 45 * MINUTE;
/** Staff view an edited invoice from shortly before the edit, and for longer than its sync may take. */
const LOOKS_SINCE_MS = MINUTE;
const LOOKS_UNTIL_MS = 4 * MINUTE;

export type DayOptions = {
  seed: number;
  /** False: no cron wakes a clinic whose alarm was lost. */
  hasCron?: boolean;
  /** Share of the alarms that the platform loses once the day has begun. */
  alarmsLost?: number;
  /** The gateway's own duplicate check: on commit, or none. */
  dedupe?: 'commit' | 'none';
  /** Called once an hour with the day so far. */
  hour?(day: Day): void;
};

export type Day = Awaited<ReturnType<typeof liveDay>>;

/** Creates and syncs the clinics and runs one day. The result is judged elsewhere. */
export async function liveDay(bundle: Bundle, size: Size, options: DayOptions) {
  const { seed, hasCron = true, alarmsLost = 0, dedupe = 'commit', hour = () => undefined } = options;
  const mayRing = (_clinic: number, now: number) => now < size.from || !world.random.chance(alarmsLost);
  const world: DayWorld = createDayWorld(bundle, { seed, start: size.from - FOUNDING_MS, mayRing, dedupe });
  const { engine, clinics, random, counts } = world;
  const cpuFrom = process.cpuUsage();
  await foundAll(world, size);
  const cpuFounded = process.cpuUsage(cpuFrom);
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] = 0;
  const [vendorMs, cpuDay] = [world.vendorMs(), process.cpuUsage()];

  const plan = planOf(size, random);
  const freshness = freshnessOf(world);
  const staff = staffOf(world);
  const samples: Sample[] = [];
  const nights = nightsOf(world, size, ZONES.length);
  const bills = begin(world, { size, plan, freshness, staff });
  world.whenTurned((at) => {
    const clinic = clinics[at];
    if (clinic) freshness.look(clinic);
  });
  const end = size.from + size.ms + AFTER_MS;
  const soFar = () => {
    const { user, system } = process.cpuUsage(cpuDay);
    return {
      world,
      size,
      plan,
      bills,
      samples,
      nights,
      staff: staff.done,
      freshness: freshness.found(),
      dayMs: engine.now() - size.from,
      cpu: {
        foundingMs: (cpuFounded.user + cpuFounded.system) / 1000,
        dayMs: (user + system) / 1000,
        vendorsMs: world.vendorMs() - vendorMs,
      },
    };
  };
  every(world, end, MINUTE, () => hasCron && world.cron());
  every(world, end, SAMPLES_EVERY_MS, () => {
    samples.push(sampleOf(world, freshness.waiting()));
    if (samples.length % 12 === 0) hour(soFar());
  });
  while ((engine.nextAt() ?? Number.POSITIVE_INFINITY) <= end) await engine.step();
  return soFar();
}

function every({ engine }: DayWorld, until: number, ms: number, run: () => void): void {
  const next = () => {
    run();
    if (engine.now() + ms <= until) engine.later(ms, next);
  };
  engine.later(ms, next);
}

type Parts = { size: Size; plan: Plan; freshness: ReturnType<typeof freshnessOf>; staff: ReturnType<typeof staffOf> };

/** Schedules the whole plan; returns the bills that are to be paid. */
function begin(world: DayWorld, { size, plan, freshness, staff }: Parts): Bill[] {
  const { engine, clinics, crm, gateways, random } = world;
  const { come } = payersOf(world);
  const at = (ms: number, run: () => void) => void engine.later(ms, run);
  const clinicAt = (place: number) => {
    const clinic = clinics[place];
    if (!clinic) throw new Error(`no clinic at ${place}`);
    return clinic;
  };
  const dayAt = engine.now();
  const crmDown = { from: plan.crmDownAt, to: plan.crmDownAt + size.crmDownMs };
  at(crmDown.from, () => crm.isDown(dayAt + crmDown.to));
  at(plan.gatewayDownAt, () => gateways.isDown(dayAt + plan.gatewayDownAt + size.gatewayDownMs));
  for (const { at: from, clinic, forMs } of plan.revoked) at(from, () => staff.revoke(clinicAt(clinic), forMs));

  const troubles = Map.groupBy(
    plan.revoked.map(({ clinic, at: from, forMs }) => ({ clinic, from, to: from + forMs })),
    ({ clinic }) => clinic,
  );
  /** End of the CRM trouble (UTC ms) that this clinic meets between `from` and `to`; null if there is none. */
  const troubleIn = (clinic: number, from: number, to: number): number | null => {
    let end = from;
    const own = [crmDown, ...(troubles.get(clinic) ?? [])].filter((one) => one.to > from);
    const isMet = own.some((one) => one.from < to);
    // One trouble may overlap the next.
    for (const one of own.toSorted((a, b) => a.from - b.from))
      if (one.from < Math.max(to, end)) end = Math.max(end, one.to);
    return isMet ? dayAt + end : null;
  };
  // Bills are an account's first invoices, edits its last ones.
  const used = new Map<number, { bills: number; edits: number }>();
  const next = (clinic: number, kind: 'bills' | 'edits') => {
    const own = used.get(clinic) ?? { bills: 0, edits: 0 };
    used.set(clinic, own);
    own[kind] += 1;
    const { size: invoices } = clinicAt(clinic).crm;
    if (own.bills + own.edits > invoices) throw new Error(`clinic ${clinic} has too few invoices`);
    return kind === 'bills' ? own.bills - 1 : invoices - own.edits;
  };
  for (const edit of plan.edits) {
    const clinic = clinicAt(edit.clinic);
    const n = next(edit.clinic, 'edits');
    const look = plan.looks[edit.clinic];
    const from = look?.from ?? Number.POSITIVE_INFINITY;
    const isLooked = edit.at >= from + LOOKS_SINCE_MS && edit.at <= from + (look?.forMs ?? 0) - LOOKS_UNTIL_MS;
    const cents = clinic.crm.centsOf(n) + 1 + random.below(5000);
    at(edit.at, () => {
      clinic.crm.edit(n, cents, engine.now());
      const owedMs = isLooked ? OWED_MS.looked : OWED_MS.idle;
      const until = troubleIn(edit.clinic, edit.at, edit.at + owedMs);
      const isWell = troubleIn(edit.clinic, edit.at, edit.at + 1) === null;
      freshness.edited(clinic, { n, cents, isLooked, isWell, until });
    });
  }
  for (const { from, forMs, clinic: place } of plan.looks) {
    const clinic = clinicAt(place);
    at(from, () => staff.look(clinic, dayAt + from + forMs, () => freshness.look(clinic)));
  }
  const bills = plan.payments.map(({ at: when, clinic, means }) => {
    const bill: Bill = { clinic: clinicAt(clinic), n: next(clinic, 'bills'), told: '', tries: 0 };
    at(when, () => come(bill, means));
    return bill;
  });
  for (let n = 0; n < size.batches; n++) {
    const clinic = clinicAt(n % clinics.length);
    at(Math.floor(size.ms * (0.32 + 0.6 * random.next())), () => staff.close(clinic));
  }
  for (let n = 0; n < size.refunds; n++)
    at(Math.floor(size.ms * (0.2 + 0.78 * random.next())), () => staff.giveBack(bills));
  for (const { at: when, clinic } of plan.resets) at(when, () => clinicAt(clinic).object.reset());
  return bills;
}
