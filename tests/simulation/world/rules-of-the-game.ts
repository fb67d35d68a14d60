import type { Random } from '#tests/support/seeded-random';
import type { Json } from '../engine/choices.ts';
import type { Knobs, Span } from '../gateway/knobs.ts';
import { INDEXES } from '../gateway/truth.ts';
import { ATTEMPTS, type AttemptRow } from '../judge/attempts.ts';
import type { WireRequest } from '../vendor.ts';
import { EVERYTHING } from './everything.ts';
import { wrongPart } from './in-parts.ts';
import { themeOf } from './themes.ts';
import type { World } from './world.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** An index may lag by some minutes. With a lag beyond the product's hold, no look-up could be trusted. */
const LAGS: Span[] = [
  [0, 0],
  [0, 3 * SECOND],
  [SECOND, MINUTE],
  [30 * SECOND, 8 * MINUTE],
];

type Choose = <T extends Json>(name: string, calm: T, draw: (random: Random) => T) => T;

/** G12 to G14, G20: the definition of a duplicate, and the response to it. */
function drawDuplicateRules(knobs: Knobs, choose: Choose): void {
  const flip = (name: string, calm: boolean) => choose(name, calm, (random) => (random.chance(0.3) ? !calm : calm));
  knobs.dedupe = choose('check of duplicates', knobs.dedupe, (random) => random.pick(['none', 'arrival', 'commit']));
  knobs.dedupeAnswer = choose('answer to a duplicate', knobs.dedupeAnswer, (random) =>
    random.pick(['original', 'error']),
  );
  const { amount, card } = knobs.dedupeCompares;
  knobs.dedupeCompares = {
    amount: flip('check of duplicates compares amounts', amount),
    card: flip('check of duplicates compares cards', card),
  };
  const { voided, refunded, returned } = knobs.dedupeCounts;
  knobs.dedupeCounts = {
    voided: flip('check of duplicates counts what was voided', voided),
    refunded: flip('check of duplicates counts what was refunded', refunded),
    returned: flip('check of duplicates counts what was returned', returned),
  };
  knobs.dedupeRefunds = flip('check of duplicates knows refunds', knobs.dedupeRefunds);
  knobs.dedupeLagMs = choose('check of duplicates, its lag', 0, (random) => random.pick([0, 0, 2 * SECOND, MINUTE]));
}

/** G8, G9, G17, G21, G23, G25, G30: wordings and times that the documents leave open. */
function drawAnswerRules(knobs: Knobs, choose: Choose): void {
  knobs.tokenUsedAt = choose('token is used at', knobs.tokenUsedAt, (random) => random.pick(['arrival', 'commit']));
  knobs.declineUsesToken = choose('decline uses its token', true, (random) => random.chance(0.5));
  knobs.readerGivesUpAs = choose('reader gives up as', knobs.readerGivesUpAs, (random) => random.pick([402, 500]));
  knobs.debitMember = choose('debit is called', knobs.debitMember, (random) =>
    random.pick(['transaction', 'ach-transaction']),
  );
  knobs.voidTooLateCode = choose('code of a void that is too late', knobs.voidTooLateCode, (random) =>
    random.pick(['013', '024', '027', '041', '099']),
  );
  knobs.flags = choose('flags are written as', knobs.flags, (random) => random.pick(['json', 'text']));
  knobs.nightClose = choose('own close of batches', knobs.nightClose, (random) =>
    random.chance(0.1) ? null : random.chance(0.1) ? [15, random.below(60)] : [3, 0],
  );
  const share = (when: string) =>
    choose(`share of debits that come back ${when}`, 0, (random) => random.pick([0, 0, 0.3]));
  knobs.achReturned = { before: share('before they are settled'), after: share('after they are settled') };
}

/** Sets everything that the provider's contract leaves open, by the seed. */
export function gatewayKnobs({ gateway: { knobs }, choices }: World): void {
  const choose = <T extends Json>(name: string, calm: T, draw: (random: Random) => T) =>
    choices.choose(`the gateway's ${name}`, calm, draw);
  for (const index of INDEXES) {
    const lag = choose(`index by ${index}, its lag`, 0, (random) =>
      random.chance(0.5) ? 0 : random.below(LAGS.length),
    );
    knobs.lagMs[index] = LAGS[lag] ?? [0, 0];
  }
  knobs.batchLagMs = choose('batch list, its lag', 0, (random) => random.pick([0, 0, 20 * SECOND]));
  knobs.terminalAnswer = choose('answer of a reader', knobs.terminalAnswer, (random) =>
    random.pick(['full', 'guaranteed']),
  );
  knobs.byHandKeepsInvoice = choose('pages file a refund under its invoice', false, (random) => random.chance(0.5));
  knobs.voidsAreListed = choose('list has voids', knobs.voidsAreListed, (random) => random.chance(0.5));
  knobs.refundInOpenBatch = choose('refund in an open batch', true, (random) => random.chance(0.5));
  const isClosing = choose('batch takes a while to close', false, (random) => random.chance(0.3));
  if (isClosing) knobs.closingMs = [SECOND, MINUTE];
  drawDuplicateRules(knobs, choose);
  drawAnswerRules(knobs, choose);
  // Most late charges come after the product's hold of 15 minutes.
  if (choices.theme === EVERYTHING) knobs.lateMs = [12 * MINUTE, 25 * MINUTE];
  const isFast = choose('debits are decided fast', false, () => themeOf(choices)?.isFast ?? false);
  knobs.achSettlingMs = isFast ? [MINUTE, 2 * MINUTE] : [HOUR, 6 * HOUR];
  knobs.achSettledMs = isFast ? [3 * MINUTE, 10 * MINUTE] : [DAY, 1.5 * DAY];
  knobs.achReturnMs = isFast ? [MINUTE, 10 * MINUTE] : [6 * HOUR, DAY];
  knobs.achReturnAfterSettledMs = isFast ? [MINUTE, 20 * MINUTE] : [6 * HOUR, DAY];
}

const CHARGES = ['sale', 'terminal-sale', 'ach-sale'];

/** Excludes stale look-ups older than the product's hold: no rule could compensate for a charge that they hide. */
export function mayMeet({ engine, database }: World, call: string, fault: string): boolean {
  if (fault !== 'stale' || !call.endsWith('find')) return true;
  const [row] = database.read<{ at: number | null }>(
    `SELECT min(created_at) AS at FROM (SELECT created_at FROM payment_attempts WHERE state IN ('sent', 'unknown', 'needs_human')
     UNION ALL SELECT created_at FROM reversals WHERE state IN ('sent', 'unknown', 'needs_human'))`,
  );
  return (row?.at ?? engine.now()) > engine.now() - 8 * MINUTE;
}

/** Stores the attempt as it is when its charge is requested. */
function storeRequestedAttempt({ database, requestedAttempts }: World, orderId: string): void {
  const [row] = database.read<AttemptRow>(`${ATTEMPTS} WHERE id = ?`, orderId);
  if (!row) return;
  const { invoice_id, collection } = row;
  const collections = database.read('SELECT 1 FROM collections WHERE invoice_id = ? AND n = ?', invoice_id, collection);
  requestedAttempts.set(orderId, { ...row, isInstallment: collections.length > 0 });
}

/** I8: the charged amount is the balance that the CRM returned in the same request. */
export const priceWatch =
  (violations: string[]) =>
  (world: World, { body }: WireRequest, call: string): void => {
    const { engine, crmBalances, requestedBy } = world;
    if (!CHARGES.includes(call)) return;
    const request = engine.task()?.name.replace(/\+sale$/, '') ?? '';
    const sale = JSON.parse(body) as { amount: string; 'order-id': string };
    const cents = Math.round(Number(sale.amount) * 100);
    requestedBy.set(sale['order-id'], request);
    storeRequestedAttempt(world, sale['order-id']);
    const balance = crmBalances.get(request);
    const partViolations = wrongPart(world, sale['order-id'], cents, balance ?? null);
    if (partViolations) violations.push(...partViolations);
    else if (balance !== cents) violations.push(`I8: ${cents} cents are charged, and the CRM returned ${balance}`);
  };
