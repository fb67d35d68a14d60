import type { Counts } from './counts.ts';
import type { Day } from './day.ts';
import { judge } from './judge.ts';

export type Result = ReturnType<typeof resultOf>;

/** The result of a day as stored in a file. `seconds`: real time, including setup and the first sync. */
export function resultOf(day: Day, seconds: number) {
  const { world, size, dayMs, cpu, staff, samples, plan } = day;
  return {
    size,
    dayMs,
    seconds,
    verdict: judge(day),
    cpu,
    staff,
    samples,
    counts: { ...world.counts } satisfies Counts,
    alerts: [...world.alerts],
    objects: world.clinics.map(({ object, crm }) => ({ ...object.totals, invoices: crm.size, bytes: object.bytes() })),
    /** Directory statements in the busiest second, and CRM calls for one account in ten seconds. */
    d1Peak: world.d1Peak.max(),
    crm: world.crm.counts,
    plan: { crmDownAt: plan.crmDownAt, gatewayDownAt: plan.gatewayDownAt },
    rss: process.memoryUsage().rss,
  };
}
