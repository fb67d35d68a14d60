import { holds } from '../replay.ts';

// The judge was wrong here: the gateway lists a charge refunded by hand as approved, and its refund may lack the key.
holds('L: an attempt waits for a person, and nothing speaks against it', {
  seed: 3816,
  reaches: 'unknown > needs_human',
  decisions: [
    { key: "the gateway's check of duplicates", value: 'none' },
    {
      key: 'move 0',
      value: { n: 0, at: 228_996, do: 'pay', bill: 0, card: 'approves', token: 3, form: 2, showsAmount: false },
    },
    { key: 'move 1', value: { n: 1, at: 243_112, do: 'gateway-mumbles', bill: 2, forMs: 3_000_000 } },
    {
      key: 'move 5',
      value: { n: 5, at: 773_002, do: 'pay', bill: 2, card: 'approves', token: 0, form: 1, showsAmount: false },
    },
    { key: 'move 6', value: { n: 6, at: 1_464_492, do: 'refund-by-hand', bill: 0, cents: 12_000 } },
    { key: 'move 7', value: { n: 7, at: 2_029_053, do: 'schedule-twice', bill: 0 } },
    { key: 'pay 5 sale 0 meets', value: 'bad-json-after' },
  ],
});
