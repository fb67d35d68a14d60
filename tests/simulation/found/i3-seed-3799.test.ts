import { holds } from '../replay.ts';

holds('I3: the gateway holds 7550 cents for an attempt in pending, the ledger 0', 3799, [
  {
    key: 'move 5',
    value: {
      card: 'ach',
      token: 3,
      form: 0,
      showsAmount: false,
      cents: 12000,
      balance: '0',
      status: 'open',
      verdict: 'charged',
      isNamed: false,
      isolate: 1,
      tap: 'tap',
      forMs: 20000,
      jumpMs: 10800000,
      n: 5,
      at: 136799,
      do: 'pay',
      bill: 1,
    },
  },
  { key: 'pay 5 3 records meets', value: 'html-502' },
  { key: 'pay 5 8 ach-sale meets', value: 'charged-twice' },
]);
