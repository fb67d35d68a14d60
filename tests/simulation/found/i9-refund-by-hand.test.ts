import { holds } from '../replay.ts';

holds('I9: a refund made by hand stays half booked when the database fails once', 1, [
  {
    key: 'move 0',
    value: { n: 0, at: 0, do: 'pay', bill: 0, card: 'approves', token: 0, form: 0, showsAmount: false },
  },
  { key: 'move 1', value: { n: 1, at: 300000, do: 'refund-by-hand', bill: 0, cents: 12000 } },
  {
    key: 'refund-by-hand 1, later the gateway tells of REFUND 100000006 webhook 0 6 meets',
    value: 'object-loses-answer',
  },
]);
