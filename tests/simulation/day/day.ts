import type { Bundle } from '../product/load.ts';
import { type Sample, sampleOf } from './backlog.ts';
import { FOUNDING_MS, foundAll } from './found-clinics.ts';
import { freshnessOf, OWED_MS } from './freshness.ts';
import { nightsOf } from './nights.ts';
import { type Bill, payersOf } from './payers.ts';
import { type Plan, planOf, type Size, ZONES } from './plan.ts';
import { staffOf } from './staff.ts';
import { createDayWorld, type DayWorld } from './world.ts';

const MINUTE = 60_000;
const SAMPLES_EVERY_MS = 5 * MINUTE;
/** Time after the day: requests from its last minutes get their responses, and unknown payments are resolved. */
const SETTLE_MS = 45 * MINUTE;
/** An edit counts as viewed if staff view the list from this long before it until this long after it. */
const VIEWED_SINCE_MS = MINUTE;
const VIEWED_UNTIL_MS = 4 * MINUTE;

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

export type Day = Awaited<ReturnType<typeof runDay>>;

/** Creates and syncs the clinics and runs one day. `judge.ts` checks the result. */
export async function runDay(bundle: Bundle, size: Size, options: DayOptions) {
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
  const bills = schedulePlan(world, { size, plan, freshness, staff });
  world.onTurnEnd((index) => {
    const clinic = clinics[index];
    if (clinic) freshness.checkEdits(clinic);
  });
  const end = size.from + size.ms + SETTLE_MS;
  const dayResult = () => {
    const { user, system } = process.cpuUsage(cpuDay);
    return {
      world,
      size,
      plan,
      bills,
      samples,
      nights,
      staff: staff.counts,
      freshness: freshness.ages(),
      dayMs: engine.now() - size.from,
      cpu: {
        foundingMs: (cpuFounded.user + cpuFounded.system) / 1000,
        dayMs: (user + system) / 1000,
        vendorsMs: world.vendorMs() - vendorMs,
      },
    };
  };
  runEvery(world, end, MINUTE, () => hasCron && world.cron());
  runEvery(world, end, SAMPLES_EVERY_MS, () => {
    samples.push(sampleOf(world, freshness.pendingCount()));
    if (samples.length % 12 === 0) hour(dayResult());
  });
  while ((engine.nextAt() ?? Number.POSITIVE_INFINITY) <= end) await engine.step();
  return dayResult();
}

function runEvery({ engine }: DayWorld, until: number, ms: number, run: () => void): void {
  const next = () => {
    run();
    if (engine.now() + ms <= until) engine.later(ms, next);
  };
  engine.later(ms, next);
}

type Parts = { size: Size; plan: Plan; freshness: ReturnType<typeof freshnessOf>; staff: ReturnType<typeof staffOf> };

/** Schedules the whole plan; returns the bills to pay. */
function schedulePlan(world: DayWorld, { size, plan, freshness, staff }: Parts): Bill[] {
  const { engine, clinics, crm, gateways, random } = world;
  const { startPaying } = payersOf(world);
  const at = (ms: number, run: () => void) => void engine.later(ms, run);
  const clinicAt = (place: number) => {
    const clinic = clinics[place];
    if (!clinic) throw new Error(`no clinic at ${place}`);
    return clinic;
  };
  const dayStart = engine.now();
  const crmDown = { from: plan.crmDownAt, to: plan.crmDownAt + size.crmDownMs };
  at(crmDown.from, () => crm.setDownUntil(dayStart + crmDown.to));
  at(plan.gatewayDownAt, () => gateways.setDownUntil(dayStart + plan.gatewayDownAt + size.gatewayDownMs));
  for (const { at: from, clinic, forMs } of plan.revoked) at(from, () => staff.revoke(clinicAt(clinic), forMs));

  const troubles = Map.groupBy(
    plan.revoked.map(({ clinic, at: from, forMs }) => ({ clinic, from, to: from + forMs })),
    ({ clinic }) => clinic,
  );
  /** End (UTC ms) of the CRM trouble that affects this clinic between `from` and `to`; null if there is none. */
  const troubleIn = (clinic: number, from: number, to: number): number | null => {
    let end = from;
    const relevant = [crmDown, ...(troubles.get(clinic) ?? [])].filter((trouble) => trouble.to > from);
    const isAffected = relevant.some((trouble) => trouble.from < to);
    // One trouble may overlap the next.
    for (const trouble of relevant.toSorted((a, b) => a.from - b.from))
      if (trouble.from < Math.max(to, end)) end = Math.max(end, trouble.to);
    return isAffected ? dayStart + end : null;
  };
  // Bills take an account's first invoices, edits its last ones.
  const usedCounts = new Map<number, { bills: number; edits: number }>();
  const nextInvoice = (clinic: number, kind: 'bills' | 'edits') => {
    const counts = usedCounts.get(clinic) ?? { bills: 0, edits: 0 };
    usedCounts.set(clinic, counts);
    counts[kind] += 1;
    const { size: invoices } = clinicAt(clinic).crm;
    if (counts.bills + counts.edits > invoices) throw new Error(`clinic ${clinic} has too few invoices`);
    return kind === 'bills' ? counts.bills - 1 : invoices - counts.edits;
  };
  for (const edit of plan.edits) {
    const clinic = clinicAt(edit.clinic);
    const n = nextInvoice(edit.clinic, 'edits');
    const view = plan.views[edit.clinic];
    const from = view?.from ?? Number.POSITIVE_INFINITY;
    const isViewed = edit.at >= from + VIEWED_SINCE_MS && edit.at <= from + (view?.forMs ?? 0) - VIEWED_UNTIL_MS;
    const cents = clinic.crm.centsOf(n) + 1 + random.below(5000);
    at(edit.at, () => {
      clinic.crm.edit(n, cents, engine.now());
      const owedMs = isViewed ? OWED_MS.viewed : OWED_MS.idle;
      const until = troubleIn(edit.clinic, edit.at, edit.at + owedMs);
      const isHealthy = troubleIn(edit.clinic, edit.at, edit.at + 1) === null;
      freshness.addEdit(clinic, { n, cents, isViewed, isHealthy, until });
    });
  }
  for (const { from, forMs, clinic: place } of plan.views) {
    const clinic = clinicAt(place);
    at(from, () => staff.viewList(clinic, dayStart + from + forMs, () => freshness.checkEdits(clinic)));
  }
  const bills = plan.payments.map(({ at: time, clinic, behavior }) => {
    const bill: Bill = { clinic: clinicAt(clinic), n: nextInvoice(clinic, 'bills'), lastOutcome: '', tries: 0 };
    at(time, () => startPaying(bill, behavior));
    return bill;
  });
  for (let n = 0; n < size.batches; n++) {
    const clinic = clinicAt(n % clinics.length);
    at(Math.floor(size.ms * (0.32 + 0.6 * random.next())), () => staff.close(clinic));
  }
  for (let n = 0; n < size.refunds; n++)
    at(Math.floor(size.ms * (0.2 + 0.78 * random.next())), () => staff.refundSome(bills));
  for (const { at: time, clinic } of plan.resets) at(time, () => clinicAt(clinic).object.reset());
  return bills;
}
