import type { Counts } from './counts.ts';
import type { Day } from './day.ts';
import { judge } from './judge.ts';

export type Result = ReturnType<typeof resultOf>;

/** All that a day came to, as it is kept in a file. `seconds`: of real time, founding and copying included. */
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
    objects: world.clinics.map(({ object, crm }) => ({ ...object.own, invoices: crm.size, bytes: object.bytes() })),
    /** Statements in the directory in its busiest second, and calls at the CRM for one account in ten seconds. */
    d1Peak: world.d1Peak.most(),
    crm: world.crm.counted,
    plan: { crmDownAt: plan.crmDownAt, gatewayDownAt: plan.gatewayDownAt },
    rss: process.memoryUsage().rss,
  };
}
