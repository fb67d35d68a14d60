import { guards, type Mutation } from '#tests/money/guards';

/** Defects that two features had together once, put back: each is found by the theme of all features. */
export const putBack: Mutation[] = [
  {
    name: 'a payment is voided after its refund was, and the refund stays taken',
    edit: {
      file: 'worker/data/refunds/corrected-refunds.ts',
      from: "AND state = 'voided')",
      to: "AND state = 'nothing')",
    },
    secondLayer: null,
  },
  {
    name: 'nothing is owed by the word of a person, and the invoice is open',
    edit: {
      file: 'worker/data/parts/collections.ts',
      from: 'WHERE changes() > 0 AND b.account_id',
      to: 'WHERE changes() > 9 AND b.account_id',
    },
    secondLayer: null,
  },
  { name: 'a charge is lost with a restore', edit: guards.findOfTheLost, secondLayer: null },
  {
    name: 'a bank debit stays pending',
    edit: {
      file: 'worker/domain/payments/ach-debit.ts',
      from: 'return isLate || unread >= MAX_UNREAD_CHECKS ? escalate(at) : null;',
      to: 'return null;',
    },
    secondLayer: null,
  },
  {
    name: 'a payment of an earlier collection is voided, and the invoice stays paid',
    edit: {
      file: 'migrations/clinic/0103_payments.sql',
      from: "WHEN s.taken_cents < s.to_take_cents THEN 'none'",
      to: "WHEN s.taken_cents < 0 THEN 'none'",
    },
    secondLayer: null,
  },
  {
    name: 'a list that lags behind undoes a void',
    edit: {
      file: 'worker/data/reconciliation/gateway-transactions.ts',
      from: 'const LAG_MS = 12 * 3_600_000;',
      to: 'const LAG_MS = 0;',
    },
    secondLayer: null,
  },
  {
    name: 'a debit in an unknown state is lost with a restore',
    edit: {
      file: 'worker/domain/reconciliation/ingest.ts',
      from: 'row.netAmountCents === null',
      to: "row.state === 'pending'",
    },
    secondLayer: null,
  },
];

/** So many seeds of the theme show each. */
export const ENOUGH = 500;
