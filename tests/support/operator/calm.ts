import type { OperatorOverview } from '#shared/contracts/operators/operator';

export const at = '2026-03-04T15:00:00.000Z';
/** An overview without problems. */
export const CALM_OVERVIEW: OperatorOverview = {
  at,
  problems: [],
  payments: { state: 'open', by: null, since: null, reason: '', operator: '' },
  sums: {
    clinics: 4,
    trouble: 0,
    blocked: 0,
    silent: 0,
    waiting: 0,
    stuck: 0,
    alerted: 0,
    failing: 0,
    paused: 0,
    behind: 0,
    restoring: 0,
    erased: 0,
    needs_human: 0,
    stuck_since: null,
    bytes: 1000,
    last_payment_at: null,
  },
  alerts: [],
  mails: { due: 0, failed: 0, waiting: 0, oldest: null, items: [], told: [] },
  dumps: { oldest_at: null, missing: 0 },
  build: { state: 'live', since: at, reason: '' },
  vendors: [],
  trail: [],
  verified: null,
};
