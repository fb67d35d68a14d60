import { holds } from '../replay.ts';

holds('D: a payment by card leaves its person, although a bank debit under its key is in a state that we do not know', {
  seed: 110,
  without: {
    file: 'worker/domain/payments/look-up-charge.ts',
    from: 'shown.filter((txn) => mayBeForeignMoney(txn, attempt))',
    to: 'shown.filter((txn) => isForeign(txn, attempt))',
  },
  decisions: [
    {
      key: 'move 0',
      value: {
        ...{ n: 0, at: 0, do: 'pay', bill: 0, card: 'approves', token: 10, form: 10, showsAmount: false },
        meets: 'answer-lost',
      },
    },
    { key: 'move 1', value: { n: 1, at: 200, do: 'gateway-mumbles', bill: 0, forMs: 3_000_000, readsLists: true } },
    {
      key: 'move 2',
      value: { n: 2, at: 960_200, do: 'pay', bill: 2, card: 'ach', token: 10, form: 10, showsAmount: false },
    },
    { key: 'move 9', value: { n: 9, at: 1_379_595, do: 'reconcile', bill: 0 } },
  ],
});
