import { holds } from '../replay.ts';

// The charge came late, its notice had an unknown status, and the indexes did not show it at the end of the hold.
holds('I5: a payer is told that nothing was charged although the gateway has shown the charge', {
  seed: 4480,
  without: {
    file: 'worker/data/payments/attempts.ts',
    from: 'attempt.providerTxnId ?? txnId',
    to: 'attempt.providerTxnId',
  },
  decisions: [
    { key: "the gateway's index by order, its lag", value: 2 },
    { key: "the gateway's index by invoice, its lag", value: 3 },
    {
      key: 'move 0',
      value: { n: 0, at: 403_524, do: 'pay', bill: 0, card: 'approves', token: 3, form: 2, showsAmount: false },
    },
    { key: 'move 1', value: { n: 1, at: 420_702, do: 'gateway-mumbles', forMs: 3_000_000 } },
    {
      key: 'move 9',
      value: { n: 9, at: 1_297_582, do: 'pay', bill: 0, card: 'approves', token: 1, form: 0, showsAmount: true },
    },
    { key: 'pay 0 sale 0 meets', value: 'late' },
  ],
});
