import { holds } from '../replay.ts';

const debitDecisions = (fate: string) => [
  {
    key: 'move 0',
    value: { n: 0, at: 0, do: 'pay', bill: 1, card: 'ach', token: 3, form: 0, showsAmount: false },
  },
  { key: 'pay 0 ach-sale 0 meets', value: fate },
];

holds('I9: a bank debit that the gateway cancelled stays pending', {
  seed: 3,
  reaches: 'pending > returned',
  decisions: debitDecisions('debit-cancelled'),
});

holds('I9: a bank debit that the gateway no longer lists stays pending', {
  seed: 3,
  without: {
    file: 'worker/domain/payments/ach-debit.ts',
    from: 'return isLate || unreadChecks >= MAX_UNREAD_CHECKS ? escalate(at) : null;',
    to: 'return null;',
  },
  reaches: 'pending > needs_human',
  decisions: debitDecisions('debit-unlisted'),
});

holds('I9: a bank debit that the gateway shows in an unknown status stays pending', {
  seed: 3,
  reaches: 'pending > needs_human',
  decisions: debitDecisions('debit-on-hold'),
});
