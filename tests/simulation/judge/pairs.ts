import { crmFaults } from '../crm/crm.ts';
import { LINE_FAULTS } from '../engine/network.ts';
import { CALLS, faultsOf } from '../gateway/faults.ts';
import { mailFaults } from '../mail/mail.ts';
import { DATABASE_FAULTS } from '../world/course.ts';
import type { Coverage } from './reached.ts';

/** States of an attempt; `none` if there is none yet. */
const STATES = [
  ...['none', 'sent', 'unknown', 'pending', 'approved', 'needs_human', 'declined', 'rejected', 'not_charged'],
  ...['cancelled', 'timed_out', 'returned', 'voided', 'refunded'],
];

const EXTERNAL_FAULTS = [
  ...[
    'r2-fails',
    'crash',
    'object-resets',
    'deploy',
    'alarm-lost',
    'clock-jumps',
    'minute-lost',
    'gateway-silent',
    'gateway-mumbles',
    'crm-down',
    'mail-down',
    'balance-edited',
  ],
  ...['forged-webhook', 'void-by-hand', 'refund-by-hand', 'close-by-hand', 'sale-by-hand', 'return-debit'],
];

/** Calls that the product never makes. */
const UNUSED_CALLS = ['token', 'open-batch', 'settings'];

/**
 * Kinds of faults with the same effect on the product. Every state must meet a fault of each kind, and each fault must
 * occur by name. For the moment that counts, see coverage.ts.
 */
const KINDS: [kind: string, pattern: RegExp][] = [
  ['the object is reset', /^object-resets/],
  ['the line to the object breaks', /^object-(fails|loses)/],
  ["the object's storage fails", /^storage-/],
  ['D1 fails', /^d1-/],
  [
    'the gateway refuses',
    /^gateway (500-before|html-502-before|unauthorized|forbidden|rate-limited|redirect|hangs-before)$/,
  ],
  ['the gateway declines', /^gateway (declined|issuer-silent|token-\w+)$/],
  ["the gateway's answer cannot be read", /^gateway (\w+-after|bad-json-after|answer-late)$/],
  [
    "the gateway's answer is wrong",
    /^gateway ([\w-]+-answered|unknown-\w+|no-words|filter-ignored|stale|duplicate-error)$/,
  ],
  ['the gateway charges wrongly', /^gateway (wrong-amount-charged|charged-twice)$/],
  ['the gateway is late', /^gateway late$/],
  ["the gateway's webhook is bent", /^gateway webhook-/],
  ['a reader', /^gateway reader-/],
  ['a batch closes otherwise', /^gateway (nothing-open|close-\w+|closed-by-night)$/],
  ['a debit comes back', /^gateway (returned|debit-)|^return-debit$/],
  ['the CRM fails', /^crm /],
  ['the mail service fails', /^mail [\w-]+$/],
];

/** The kind of a fault; faults of the product's side, of the line and of people are separate kinds. */
export const kindOf = (fault: string): string => KINDS.find(([, pattern]) => pattern.test(fault))?.[0] ?? fault;

const gatewayFaults = CALLS.filter((call) => !UNUSED_CALLS.includes(call)).flatMap((call) =>
  faultsOf(call).map((fault) => `gateway ${fault}`),
);

/** The name of every fault that can occur in a run. */
const FAULTS: string[] = [
  ...LINE_FAULTS,
  ...new Set(Object.values(DATABASE_FAULTS).flat()),
  ...EXTERNAL_FAULTS,
  ...crmFaults.map((fault) => `crm ${fault}`),
  ...mailFaults.map((fault) => `mail ${fault}`),
  ...new Set(gatewayFaults),
];

/** Pairs that cannot occur, with the reason. */
const IMPOSSIBLE_PAIRS: { reason: string; states: string[]; kinds: string[] }[] = [
  {
    reason: 'it affects only a call for a payment or its reversal, and the attempt exists before that call',
    states: ['none'],
    kinds: [
      ...['the gateway declines', 'the gateway charges wrongly', "the gateway's webhook is bent", 'a reader'],
      'a debit comes back',
    ],
  },
  {
    reason: 'people reverse charges of attempts; their own sales do not concern the product',
    states: ['none'],
    kinds: ['void-by-hand', 'refund-by-hand'],
  },
  { reason: 'only receipts of payments are sent by mail', states: ['none'], kinds: ['the mail service fails'] },
];

export const expectedPairs = (): string[] =>
  STATES.flatMap((state) =>
    [...new Set(FAULTS.map(kindOf))]
      .filter((kind) => !IMPOSSIBLE_PAIRS.some(({ states, kinds }) => states.includes(state) && kinds.includes(kind)))
      .map((kind) => `${state} x ${kind}`),
  );

export const unreachedNames = ({ pairs, faults }: Coverage): string[] => [
  ...expectedPairs().filter((pair) => !(pair in pairs)),
  ...FAULTS.filter((fault) => !(fault in faults)),
];
