import { holds } from '../replay.ts';

holds('I9: a refund made by hand stays half booked when the database fails once', {
  seed: 3,
  without: { file: 'worker/domain/reconciliation/apply.ts', from: 'nextCheckAt: at,', to: 'nextCheckAt: null,' },
  decisions: [
    {
      key: 'move 0',
      value: { n: 0, at: 0, do: 'pay', bill: 0, card: 'approves', token: 0, form: 0, showsAmount: false },
    },
    { key: 'move 1', value: { n: 1, at: 300_000, do: 'refund-by-hand', bill: 0, cents: 12_000 } },
    {
      // The settlement's transaction begins with its event.
      key: 'refund-by-hand 1, later the gateway tells of REFUND 100000006 webhook 0 insert audit_events 0 meets',
      value: 'object-fails-before',
    },
  ],
});
