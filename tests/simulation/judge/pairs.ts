import { crmFaults } from '../crm/crm.ts';
import { LINE_FAULTS } from '../engine/network.ts';
import { CALLS, faultsOf } from '../gateway/faults.ts';
import { mailFaults } from '../mail/mail.ts';
import { DATABASE_FAULTS } from '../world/course.ts';
import type { Reached } from './reached.ts';

/** States in which an attempt can stand; `none` before there is one. */
const STATES = [
  ...['none', 'sent', 'unknown', 'pending', 'approved', 'needs_human', 'declined', 'rejected', 'not_charged'],
  ...['cancelled', 'timed_out', 'returned', 'voided', 'refunded'],
];

const FROM_OUTSIDE = [
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

/** The product makes no such call. */
const NEVER_CALLED = ['token', 'open-batch', 'settings'];

/**
 * Faults that do the same to us: of each kind every state must have met one, and each must have been met by
 * its own name. Which moment counts is told in coverage.ts.
 */
const KINDS: [kind: string, isOne: RegExp][] = [
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

/** The kind of a fault; a fault of ours, of the line or of a person is a kind of its own. */
export const kindOf = (fault: string): string => KINDS.find(([, isOne]) => isOne.test(fault))?.[0] ?? fault;

const gatewayFaults = CALLS.filter((call) => !NEVER_CALLED.includes(call)).flatMap((call) =>
  faultsOf(call).map((fault) => `gateway ${fault}`),
);

/** Every fault that a run can meet, by its own name. */
const FAULTS: string[] = [
  ...LINE_FAULTS,
  ...new Set(Object.values(DATABASE_FAULTS).flat()),
  ...FROM_OUTSIDE,
  ...crmFaults.map((fault) => `crm ${fault}`),
  ...mailFaults.map((fault) => `mail ${fault}`),
  ...new Set(gatewayFaults),
];

/** Pairs that cannot be, with the reason. */
const CANNOT_BE: { why: string; states: string[]; kinds: string[] }[] = [
  {
    why: 'only a call for a payment or for its reversal meets it, and the attempt stands before that call is made',
    states: ['none'],
    kinds: [
      ...['the gateway declines', 'the gateway charges wrongly', "the gateway's webhook is bent", 'a reader'],
      'a debit comes back',
    ],
  },
  {
    why: 'people take back what was charged for an attempt; a sale of their own is of no account to us',
    states: ['none'],
    kinds: ['void-by-hand', 'refund-by-hand'],
  },
  { why: 'no mail is sent but the receipt of a payment', states: ['none'], kinds: ['the mail service fails'] },
];

export const pairsExpected = (): string[] =>
  STATES.flatMap((state) =>
    [...new Set(FAULTS.map(kindOf))]
      .filter((kind) => !CANNOT_BE.some(({ states, kinds }) => states.includes(state) && kinds.includes(kind)))
      .map((kind) => `${state} x ${kind}`),
  );

export const neverReached = ({ pairs, faults }: Reached): string[] => [
  ...pairsExpected().filter((pair) => !(pair in pairs)),
  ...FAULTS.filter((fault) => !(fault in faults)),
];
