import { guards, type Mutation } from '#tests/money/guards';

/** Former defects of two features together, reintroduced: the theme `everything` must find each of them. */
export const reintroducedDefects: Mutation[] = [
  {
    name: 'a payment is voided after its refund, and the refund still counts',
    edit: {
      file: 'worker/data/refunds/corrected-refunds.ts',
      from: "AND state = 'voided')",
      to: "AND state = 'nothing')",
    },
    secondLayer: null,
  },
  {
    name: 'a person says that nothing is owed, and the invoice stays open',
    edit: {
      file: 'worker/data/installments/collections.ts',
      from: 'WHERE changes() > 0 AND b.account_id',
      to: 'WHERE changes() > 9 AND b.account_id',
    },
    secondLayer: null,
  },
  { name: 'a restore loses a charge', edit: guards.findOfTheLost, secondLayer: null },
  {
    name: 'a bank debit stays pending',
    edit: {
      file: 'worker/domain/payments/ach-debit.ts',
      from: 'return isLate || unreadChecks >= MAX_UNREAD_CHECKS ? escalate(at) : null;',
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
    name: 'a lagging list undoes a void',
    edit: {
      file: 'worker/data/reconciliation/gateway-transactions.ts',
      from: 'const LAG_MS = 12 * 3_600_000;',
      to: 'const LAG_MS = 0;',
    },
    secondLayer: null,
  },
  {
    name: 'a restore loses a debit in an unknown state',
    edit: {
      file: 'worker/domain/reconciliation/ingest.ts',
      from: 'row.netAmountCents === null',
      to: "row.state === 'pending'",
    },
    secondLayer: null,
  },
];

/** Number of seeds of the theme within which each defect is found. */
export const MAX_DEFECT_SEEDS = 500;
