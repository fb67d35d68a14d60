import { findAccount } from '#worker/data/merchants/accounts';
import { findMerchant } from '#worker/data/merchants/merchants';
import type { StoredCard } from '#worker/data/schema/schema';
import { findCardByRemoveKey } from '#worker/data/stored-cards/stored-cards';
import type { Deps } from '#worker/deps';
import { cardMail } from '#worker/domain/mail/card-mails';
import { businessName } from '#worker/domain/merchants/view-merchant';
import { endStoredCard } from './end-card.ts';

/** The card on the page that removes it. Null if the address is not valid. */
export type RemovableCard = { card: StoredCard; business: string };

export async function viewRemovableCard(deps: Deps, removeKey: string): Promise<RemovableCard | null> {
  const card = await findCardByRemoveKey(deps.db, removeKey);
  if (!card) return null;
  const [account, merchant] = await Promise.all([
    findAccount(deps.db, card.accountId),
    findMerchant(deps.db, card.accountId),
  ]);
  return account ? { card, business: businessName(account, merchant) } : null;
}

/** Removes the card of a payer, who gets a confirmation. A repeated call changes nothing. */
export async function removeCardByPayer(deps: Deps, removeKey: string): Promise<RemovableCard | null> {
  const view = await viewRemovableCard(deps, removeKey);
  if (!view || view.card.endedAt !== null) return view;
  const actor = { ...deps.actor, kind: 'payer' as const, id: '' };
  const mail = await cardMail(deps, view.card, 'card-removed');
  await endStoredCard({ ...deps, actor }, view.card, 'removed_by_payer', mail ?? undefined);
  return viewRemovableCard(deps, removeKey);
}
