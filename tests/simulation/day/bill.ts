import type { Result } from './result.ts';

/** Cloudflare's public prices in dollars, checked on 2026-11-23: included amount and price of each further unit. */
const PRICES = {
  plan: 5,
  rows: { included: 50e6, dollars: 1 / 1e6 },
  calls: { included: 1e6, dollars: 0.15 / 1e6 },
  gigabyteSeconds: { included: 400_000, dollars: 12.5 / 1e6 },
  gigabytes: { included: 5, dollars: 0.2 },
  requests: { included: 10e6, dollars: 0.3 / 1e6 },
};
const OBJECT_GB = 0.128;
const DAYS = 30;
/** Compute time (ms) of a Worker and an object for a call outside turns; the object is awake for as long. */
const CALL_MS = 5;

export type Usage = {
  rows: number;
  d1Rows: number;
  calls: number;
  gigabyteSeconds: number;
  gigabytes: number;
  requests: number;
};

/** Monthly cost in dollars for the given usage, by item. */
export function dollarsOf(usage: Usage) {
  const costOf = (price: { included: number; dollars: number }, amount: number) =>
    Math.max(0, amount - price.included) * price.dollars;
  return {
    'rows written in objects': costOf(PRICES.rows, usage.rows),
    'objects’ time': costOf(PRICES.gigabyteSeconds, usage.gigabyteSeconds),
    'calls and alarms': costOf(PRICES.calls, usage.calls),
    'objects’ storage': costOf(PRICES.gigabytes, usage.gigabytes),
    'the directory’s rows': costOf(PRICES.rows, usage.d1Rows),
    Worker: PRICES.plan + costOf(PRICES.requests, usage.requests),
  };
}

/**
 * The bill for a month of such days. `withIndexes`: billed rows for each table row written. The CPU time of Workers is
 * omitted: the included amount far exceeds it, and the CPU time of objects is not billed.
 */
export function billOf({ counts, dayMs, objects }: Result, withIndexes: number) {
  const daysPerMonth = (DAYS * 86_400_000) / dayMs;
  const usage = {
    rows: counts.rowsWritten * withIndexes * daysPerMonth,
    d1Rows: counts.d1Rows * withIndexes * daysPerMonth,
    calls: (counts.calls + counts.alarms) * daysPerMonth,
    gigabyteSeconds: ((counts.turnMs + counts.calls * CALL_MS) / 1000) * OBJECT_GB * daysPerMonth,
    gigabytes: objects.reduce((sum, { bytes }) => sum + bytes, 0) / 1e9,
    requests: (counts.requests + counts.crons) * daysPerMonth,
  };
  const lines = dollarsOf(usage);
  const total = Object.values(lines).reduce((sum, amount) => sum + amount, 0);
  return { usage, lines, total };
}

/** Time of a directory statement in ms (assumed), and the platform's limit for an object (public). */
const D1_STATEMENT_MS = 1;
const OBJECT_CALLS_A_SECOND = 1000;

/** Share of each resource that the day used, from 0 to 1, scarcest first. */
export function resourceShares({ counts, dayMs, objects, d1Peak, crm }: Result): { resource: string; share: number }[] {
  const busiest = objects.toSorted((a, b) => b.turnMs - a.turnMs)[0];
  const shares = [
    { resource: 'CRM: calls of one account in its busiest ten seconds, of 110', share: crm.max / 110 },
    { resource: 'directory: statements in its busiest second, at 1 ms', share: (d1Peak * D1_STATEMENT_MS) / 1000 },
    { resource: 'directory: statements on average, at 1 ms', share: (counts.d1Statements * D1_STATEMENT_MS) / dayMs },
    { resource: 'busiest object: alarm turns, including waiting for vendors', share: (busiest?.turnMs ?? 0) / dayMs },
    {
      resource: 'busiest object: calls a second, of 1,000',
      share: Math.max(...objects.map(({ calls }) => calls)) / (dayMs / 1000) / OBJECT_CALLS_A_SECOND,
    },
    { resource: 'biggest object: its storage, of 10 GB', share: Math.max(...objects.map(({ bytes }) => bytes)) / 10e9 },
  ];
  return shares.sort((a, b) => b.share - a.share);
}
