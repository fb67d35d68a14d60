import type { WireAnswer } from '../vendor.ts';
import { type GatewayCall, textOf } from './calls.ts';
import type { Books, Entry } from './gateway-records.ts';
import type { Author, CardChange, StoredCard, TokenCard } from './truth.ts';
import { failure, noContent, success, type Wire } from './wire.ts';

export type Vault = ReturnType<typeof createVault>;

const STATUSES: Record<string, StoredCard['status']> = { ACTIVE: 'Active', INACTIVE: 'Inactive', DELETED: 'Deleted' };

/** G44-G47: the cards that the provider keeps for its merchants, by their tokens. */
export function createVault(books: Books) {
  const cards = new Map<string, StoredCard>();

  const isInReach = ({ merchant, terminal }: GatewayCall, card: StoredCard) =>
    card.merchantId === merchant.merchantId &&
    (books.knobs.tokenReach === 'merchant' || card.terminalId === terminal.terminalId);

  function find(call: GatewayCall, tokenId: string): StoredCard | null {
    const card = cards.get(tokenId);
    return card && isInReach(call, card) ? card : null;
  }

  function apply(tokenId: string, change: CardChange, by: Author): boolean {
    const card = cards.get(tokenId);
    if (!card) return false;
    const isEnd = change.status !== undefined && change.status !== 'Active' && card.endedAt === null;
    Object.assign(card, change, isEnd ? { endedAt: books.world.now(), endedBy: by } : {});
    return true;
  }

  const refuse = (status: number, code: string, message: string) =>
    failure(books.nextExchange(), books.world.now(), { status, code, message });

  return {
    find,

    /** G44: stores the card of a sale and returns its token. */
    store({ merchantId, terminalId, lastFour }: Entry, card: TokenCard): string {
      const isSame = (other: StoredCard) =>
        other.merchantId === merchantId && other.lastFour === lastFour && other.status === 'Active';
      const earlier = books.knobs.sameCardSameToken ? [...cards.values()].find(isSame) : undefined;
      if (earlier) return earlier.tokenId;
      const tokenId = `110000${String(cards.size + 1).padStart(9, '0')}${lastFour}`;
      const storedAt = books.world.now();
      cards.set(tokenId, {
        tokenId,
        merchantId,
        terminalId,
        lastFour,
        expDate: '1249',
        card,
        status: 'Active',
        updateStatus: null,
        storedAt,
        endedAt: null,
        endedBy: null,
      });
      return tokenId;
    },

    /** Changes a card as its issuer, the provider or the account updater does (G47). */
    change: (tokenId: string, change: CardChange): boolean => apply(tokenId, change, 'person'),

    list: (): StoredCard[] => [...cards.values()].map((card) => ({ ...card })),

    /** G45: a card as the vault shows it. A deleted one may look as if it had never existed. */
    answerRead(call: GatewayCall): WireAnswer {
      const card = find(call, call.tokenId);
      const { deletedToken } = books.knobs;
      if (!card || (card.status === 'Deleted' && deletedToken === 'not-found'))
        return refuse(404, '056', 'The token was not found');
      return card.status === 'Deleted' && deletedToken === 'no-content' ? noContent() : answerCard(card);
    },

    /** G45: only the status can be changed; a deletion is repeatable. */
    answerChange(call: GatewayCall, method: string): WireAnswer {
      const status = method === 'DELETE' ? 'Deleted' : STATUSES[textOf(call.body, 'status')?.toUpperCase() ?? ''];
      if (!status) return refuse(400, '041', 'The status is not valid');
      const card = find(call, call.tokenId);
      if (!card) return refuse(404, '056', 'The token was not found');
      apply(card.tokenId, { status }, 'product');
      return answerCard(card);
    },
  };

  function answerCard(card: StoredCard): WireAnswer {
    const tokenResponse: Wire = {
      'token-id': card.tokenId,
      status: card.status,
      'exp-date': card.expDate,
      'last-four-digits': card.lastFour,
      'card-type': 'VISA',
      'merchant-id': card.merchantId,
      'token-update-status': card.updateStatus,
    };
    return success(books.nextExchange(), { payloadType: 'token', tokenResponse });
  }
}

/** True if the card's last month (UTC) is over. */
export const isExpired = ({ expDate }: StoredCard, now: number): boolean =>
  Date.UTC(2000 + Number(expDate.slice(2)), Number(expDate.slice(0, 2)), 1) <= now;
