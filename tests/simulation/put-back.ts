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
      from: 'WHERE changes() > 0 AND b.hub_id',
      to: 'WHERE changes() > 9 AND b.hub_id',
    },
    secondLayer: null,
  },
  { name: 'a charge is lost with a restore', edit: guards.findOfTheLost, secondLayer: null },
  {
    name: 'a bank debit stays pending',
    edit: {
      file: 'worker/domain/payments/pending-debit.ts',
      from: 'return isLate || unread >= UNREAD_LOOKS ? toAPerson(at) : null;',
      to: 'return null;',
    },
    secondLayer: null,
  },
];

/** So many seeds of the theme show each. */
export const ENOUGH = 500;
