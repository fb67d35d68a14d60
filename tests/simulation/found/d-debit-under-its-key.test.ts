import { conditions } from '#tests/money/guards';
import { holds } from '../replay.ts';

holds('D: a payment by card leaves its person, although a bank debit stands under its key', {
  seed: 3,
  without: conditions.find(({ name }) => name === 'no foreign charge by the other way of paying')?.edit,
  decisions: [
    {
      key: 'move 0',
      value: { n: 0, at: 11_845, do: 'pay', bill: 0, card: 'approves', token: 3, form: 2, showsAmount: true },
    },
    { key: 'move 1', value: { n: 1, at: 95_958, do: 'gateway-mumbles', bill: 2, forMs: 3_000_000 } },
    {
      key: 'move 4',
      value: { n: 4, at: 564_576, do: 'pay', bill: 2, card: 'ach', token: 1, form: 2, showsAmount: true },
    },
    { key: 'move 12', value: { n: 12, at: 1_701_059, do: 'clock-jumps', bill: 0, jumpMs: 960_000 } },
    { key: 'pay 0 sale 0 meets', value: 'late' },
  ],
});
