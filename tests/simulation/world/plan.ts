import type { Random } from '#tests/support/seeded-random';
import { randomFrom } from '#tests/support/seeded-random';
import type { Choices, Json } from '../engine/choices.ts';
import { bills } from './setting.ts';
import { themeOf } from './themes.ts';

/** An act outside the product; `at`: its time in ms after the start. */
export type Move = { n: number; at: number; do: Deed; bill: number } & { [name: string]: Json };

export const DEEDS = [
  ...['pay', 'open', 'refund', 'void', 'close', 'sell', 'reopen', 'resolve', 'resolve-reversal', 'reconcile'],
  ...['void-by-hand', 'refund-by-hand', 'close-by-hand', 'sale-by-hand', 'return-debit', 'edit-balance'],
  ...[
    'crash',
    'clock-jumps',
    'gateway-silent',
    'gateway-mumbles',
    'crm-down',
    'mail-down',
    'forged-webhook',
    'schedule-twice',
    'object-resets',
    'deploy',
  ],
  ...['open-parts', 'close-parts', 'approve', 'void-refund-by-hand', 'change-zone', 'crm-delete', 'crm-renumber'],
  ...['crm-merge', 'keep-backup', 'restore', 'close-terminal', 'replace-terminal', 'record-unheard'],
] as const;
export type Deed = (typeof DEEDS)[number];

const [SECOND, MINUTE] = [1000, 60_000];
const CARDS = ['approves', 'approves', 'approves', 'approves', 'declines', 'fails', 'ach'];

/** Weight of each deed; every plan has payments in addition. */
const WEIGHTS: Partial<Record<Deed, number>> = {
  pay: 10,
  open: 2,
  refund: 3,
  void: 3,
  close: 2,
  sell: 3,
  reopen: 2,
  resolve: 2,
  'resolve-reversal': 1,
  reconcile: 1,
  'void-by-hand': 1,
  'refund-by-hand': 1,
  'close-by-hand': 1,
  'sale-by-hand': 0.5,
  'return-debit': 0.5,
  'edit-balance': 2,
  crash: 3,
  'clock-jumps': 1,
  'gateway-silent': 1,
  'gateway-mumbles': 0.5,
  'crm-down': 1,
  'mail-down': 1,
  'forged-webhook': 1,
  'schedule-twice': 1.5,
  'object-resets': 2,
  deploy: 0.5,
};

function deedOf(random: Random, weights: Record<string, number>): Deed {
  let remaining = random.next() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  for (const deed of DEEDS) {
    remaining -= weights[deed] ?? 0;
    if (remaining < 0) return deed;
  }
  return 'pay';
}

/** Details of a move, always all drawn, so that a move can be dropped without changing the others. */
function details(random: Random): Record<string, Json> {
  return {
    card: random.pick(CARDS),
    /** From a small range, so that a token or a form is sometimes sent twice. */
    token: random.below(4),
    form: random.below(3),
    showsAmount: random.chance(0.3),
    cents: random.pick([100, 999, 5_000, 12_000]),
    balance: random.pick(['120.00', '80.00', '75.50', '0.01', '0', '-5.00', '130.005', 'none']),
    status: random.chance(0.15) ? 'paid' : 'open',
    verdict: random.chance(0.5) ? 'charged' : 'not-charged',
    isNamed: random.chance(0.5),
    isolate: random.below(2),
    tap: random.pick(['tap', 'tap', 'tap', 'decline', 'cancel', 'none']),
    forMs: random.pick([20 * SECOND, 3 * MINUTE, 10 * MINUTE, 30 * MINUTE]),
    jumpMs: random.pick([5 * SECOND, MINUTE, 16 * MINUTE, 3 * 60 * MINUTE]),
  };
}

/** Times between two moves (ms). */
const GAPS = [0, 5, 200, 2 * SECOND, 20 * SECOND, MINUTE, 4 * MINUTE];

/** The moves of a seed in order of time; each is a separate decision. */
export function planOf(choices: Choices): Move[] {
  const random = randomFrom(Math.floor(choices.noise('plan') * 0xffffffff));
  const theme = themeOf(choices);
  const drawnCount = theme ? 4 + random.below(MAX_MOVES - 4) : 1 + random.below(random.pick([2, 5, 12]));
  const openingLength = theme?.isCalmAtFirst || theme?.hasFullOpening ? theme.opening.length : 0;
  const count = openingLength + drawnCount;
  const faultRandom = randomFrom(Math.floor(choices.noise('what moves meet') * 0xffffffff));
  const billIndexes = theme?.bills ?? random.pick([[0], [0], [0, 1], [0, 2], [0, 3]]);
  const isPay = (n: number) => !theme?.isWithoutPayers && (n === 0 || random.chance(theme ? 0.1 : 0.25));
  let at = 0;
  const moves: Move[] = [];
  for (let n = 0; n < openingLength + MAX_MOVES; n++) {
    const gap = random.pick(theme?.gaps ?? GAPS) * (0.2 + random.next());
    at += theme?.opening[n]?.afterMs ?? gap;
    const drawnMove: Move = {
      ...details(random),
      n,
      at: Math.floor(at),
      do: isPay(n) ? 'pay' : deedOf(random, theme?.weights ?? WEIGHTS),
      bill: random.pick(billIndexes) % bills.length,
      ...theme?.opening[n],
    };
    const faults = n < openingLength ? undefined : theme?.meets?.[drawnMove.do];
    if (faults && faultRandom.chance(0.5)) drawnMove.meets = faultRandom.pick(faults);
    const move = choices.choose<Json>(`move ${n}`, null, () => (n < count ? drawnMove : null));
    if (move !== null) moves.push(move as Move);
  }
  return moves;
}

const MAX_MOVES = 14;
