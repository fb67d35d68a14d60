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
/** Time (ms) that a Worker and an object compute for a call outside turns, and that the object is awake for it. */
const CALL_MS = 5;

export type Used = {
  rows: number;
  d1Rows: number;
  calls: number;
  gigabyteSeconds: number;
  gigabytes: number;
  requests: number;
};

/** Monthly cost in dollars for the given usage, by item. */
export function dollarsOf(used: Used) {
  const dollars = (what: { included: number; dollars: number }, amount: number) =>
    Math.max(0, amount - what.included) * what.dollars;
  return {
    'rows written in objects': dollars(PRICES.rows, used.rows),
    'objects’ time': dollars(PRICES.gigabyteSeconds, used.gigabyteSeconds),
    'calls and alarms': dollars(PRICES.calls, used.calls),
    'objects’ storage': dollars(PRICES.gigabytes, used.gigabytes),
    'the directory’s rows': dollars(PRICES.rows, used.d1Rows),
    Worker: PRICES.plan + dollars(PRICES.requests, used.requests),
  };
}

/**
 * The bill for a month of such days. `withIndexes`: billed rows for each table row written. The CPU time of Workers is
 * omitted: the included amount far exceeds it, and the CPU time of objects is not billed.
 */
export function billOf({ counts, dayMs, objects }: Result, withIndexes: number) {
  const times = (DAYS * 86_400_000) / dayMs;
  const used = {
    rows: counts.rowsWritten * withIndexes * times,
    d1Rows: counts.d1Rows * withIndexes * times,
    calls: (counts.calls + counts.alarms) * times,
    gigabyteSeconds: ((counts.turnMs + counts.calls * CALL_MS) / 1000) * OBJECT_GB * times,
    gigabytes: objects.reduce((sum, { bytes }) => sum + bytes, 0) / 1e9,
    requests: (counts.requests + counts.crons) * times,
  };
  const lines = dollarsOf(used);
  const total = Object.values(lines).reduce((sum, one) => sum + one, 0);
  return { used, lines, total };
}

/** Time of a directory statement in ms (assumed), and the platform's limit for an object (public). */
const D1_STATEMENT_MS = 1;
const OBJECT_CALLS_A_SECOND = 1000;

/** How much of each resource the day used, from 0 to 1, the scarcest first. */
export function scarcest({ counts, dayMs, objects, d1Peak, crm }: Result): { what: string; share: number }[] {
  const busiest = objects.toSorted((a, b) => b.turnMs - a.turnMs)[0];
  const shares = [
    { what: 'CRM: calls of one account in its busiest ten seconds, of 110', share: crm.most / 110 },
    { what: 'directory: statements in its busiest second, at 1 ms', share: (d1Peak * D1_STATEMENT_MS) / 1000 },
    { what: 'directory: statements on average, at 1 ms', share: (counts.d1Statements * D1_STATEMENT_MS) / dayMs },
    { what: 'busiest object: in a turn of its clock, waiting for vendors', share: (busiest?.turnMs ?? 0) / dayMs },
    {
      what: 'busiest object: calls a second, of 1,000',
      share: Math.max(...objects.map(({ calls }) => calls)) / (dayMs / 1000) / OBJECT_CALLS_A_SECOND,
    },
    { what: 'biggest object: its storage, of 10 GB', share: Math.max(...objects.map(({ bytes }) => bytes)) / 10e9 },
  ];
  return shares.sort((a, b) => b.share - a.share);
}
