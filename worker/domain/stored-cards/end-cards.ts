import { countUndeletedCards, endOpenCards } from '#worker/data/stored-cards/end-cards';
import { listUsableTerminals } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { cardsEndedEvent } from '#worker/domain/audit/cards-ended';
import { runDueCards } from './run-due-cards.ts';

/** An erasure waits at most this long (ms) after the end of a card, because the provider may never respond. */
const MAX_WAIT_MS = 7 * 86_400_000;
const MAX_ROUNDS = 10;

/**
 * Ends all cards of an account that is about to be erased, and deletes as many as possible at the provider. The schedule
 * deletes the others. Returns the number of those others that the erasure waits for.
 */
export async function endCardsOfAccount(deps: Deps, accountId: number): Promise<number> {
  const { db, log, now } = deps;
  await endOpenCards(db, { accountId, of: 'account', at: now() }, cardsEndedEvent(deps, accountId));
  const countUndeleted = () => countUndeletedCards(db, accountId, now() - MAX_WAIT_MS);
  let left = await countUndeleted();
  for (
    let round = 0, before = Number.POSITIVE_INFINITY;
    left.all > 0 && left.all < before && round < MAX_ROUNDS;
    round++
  ) {
    before = left.all;
    await runDueCards(deps);
    left = await countUndeleted();
  }
  if (left.all === 0) return 0;
  // Without a terminal, no call to the provider is possible.
  const waiting = (await listUsableTerminals(db, accountId)).length > 0 ? left.recent : 0;
  log.info('cards-left-at-provider', { accountId, cards: left.all, waiting });
  return waiting;
}
