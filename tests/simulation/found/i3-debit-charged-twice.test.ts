import { holds } from '../replay.ts';

holds('I3: a bank debit that the gateway made twice under one order id is never booked', {
  seed: 3,
  without: {
    file: 'worker/domain/payments/ach-debit.ts',
    from: 'if (debits.length > 0) return judge(debits, attempt);',
    to: "if (lookup.own.length > 1) return { kind: 'on-its-way' };\n  if (debits.length > 0) return judge(debits, attempt);",
  },
  decisions: [
    {
      key: 'move 5',
      value: { n: 5, at: 136_799, do: 'pay', bill: 1, card: 'ach', token: 3, form: 0, showsAmount: false },
    },
    { key: 'pay 5 ach-sale 0 meets', value: 'charged-twice' },
  ],
});
