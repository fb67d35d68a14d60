import { mkdirSync, writeFileSync } from 'node:fs';
import { bundleProduct } from '../product/load.ts';
import { liveDay } from './day.ts';
import { judge } from './judge.ts';
import { FULL, SMALL } from './plan.ts';

const isSmall = process.argv.includes('--small');
const few = Number(/--clinics=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 0);
const size = isSmall ? SMALL : few ? { ...FULL, clinics: [{ count: few, invoices: 200 }], payments: few * 5, refunds: few / 5, batches: few, resets: few / 10, revoked: Math.ceil(few / 50) } : FULL;
const bundle = await bundleProduct([]);
const from = performance.now();
const day = await liveDay(bundle, size, {
  seed: 1,
  progress: (what) => console.log(`${((performance.now() - from) / 1000).toFixed(0)} s: ${what}`),
});
const { world, cpu, staff } = day;
console.log(JSON.stringify(judge(day), null, 1));
const objects = world.clinics.map(({ object, crm }) => ({ ...object.own, invoices: crm.size, bytes: object.bytes() }));
mkdirSync('dist-bench', { recursive: true });
writeFileSync(
  'dist-bench/clinics.json',
  JSON.stringify({
    ...{ size: day.size, dayMs: day.dayMs, verdict: judge(day), cpu, staff, counts: world.counts, alerts: [...world.alerts] },
    ...{ samples: day.samples, objects, d1Peak: world.d1Peak.most(), crm: world.crm.counted, rss: process.memoryUsage().rss },
    ...{ plan: { crmDownAt: day.plan.crmDownAt, gatewayDownAt: day.plan.gatewayDownAt }, seconds: (performance.now() - from) / 1000 },
  }),
);
console.log(JSON.stringify({ cpu, staff, counts: world.counts, alerts: [...world.alerts] }));
