import { decimalFromCents } from '#shared/money';
import {
  type CardDeletion,
  type ChargeOutcome,
  type StoredCardChargeRequest,
  StoredCardRef,
  type StoredCardState,
  type TerminalRef,
} from '../gateway-port.ts';
import { outcomeOf } from './charge.ts';
import type { ClearentCall, ClearentOptions } from './http.ts';
import { sealedKeyRejection } from './refusal.ts';
import { CHARGE_ONCE, descriptionField, SOFTWARE } from './transaction.ts';
import { tokenIdOf, tokenOf } from './wire.ts';

type TokenSeal = Pick<ClearentOptions, 'sealCardToken' | 'openCardToken'>;

const tokenPath = (tokenId: string) => `/rest/v2/tokens/${encodeURIComponent(tokenId)}`;

/** "0429" or "04/29" as 2029-04; empty if unreadable. */
export function monthOf(expDate: string): string {
  const [, month = '', year = ''] = /^(0[1-9]|1[0-2])\/?(\d\d)$/.exec(expDate) ?? [];
  return month && `20${year}-${month}`;
}

/** Functions of the gateway's vault. Tokens are open only within them. */
export function createVault(call: ClearentCall, { sealCardToken, openCardToken }: TokenSeal) {
  /** Null if the token cannot be opened. */
  const open = (card: StoredCardRef): Promise<string | null> =>
    openCardToken(card.cardId, card.sealedToken()).catch(() => null);

  const seal = async (cardId: string, tokenId: string): Promise<StoredCardRef> =>
    new StoredCardRef(cardId, await sealCardToken(cardId, tokenId));

  return {
    seal,

    /** Charges a token as a keyed sale, whose field for the card number also accepts a token. */
    async charge(request: StoredCardChargeRequest): Promise<ChargeOutcome> {
      const tokenId = await open(request.card);
      if (tokenId === null) return { ...sealedKeyRejection, reason: 'token' };
      const reply = await call(request.terminal, '/rest/v2/transactions', {
        method: 'POST',
        body: {
          type: 'SALE',
          amount: decimalFromCents(request.amountCents),
          card: tokenId,
          invoice: request.dedupeKey,
          'order-id': request.attemptId,
          ...descriptionField(request.invoiceNumber),
          ...CHARGE_ONCE,
          'email-receipt': 'false',
          billing: { 'first-name': request.customer.firstName, 'last-name': request.customer.lastName },
          ...SOFTWARE,
        },
      });
      if (reply.kind === 'sealed') return sealedKeyRejection;
      if (reply.kind === 'lost') return { kind: 'unknown', cause: reply.cause, exchangeId: '' };
      return outcomeOf(reply, { ...request, method: 'card' });
    },

    /** The reply for a single transaction links to the token that it created. */
    async find(
      terminal: TerminalRef,
      { providerTxnId, cardId }: { providerTxnId: string; cardId: string },
    ): Promise<StoredCardRef | 'none' | 'unavailable'> {
      const query = new URLSearchParams({ level: 'merchant', id: providerTxnId });
      const reply = await call(terminal, `/rest/v2/transactions?${query}`);
      if (reply.kind !== 'answer' || (reply.status !== 200 && reply.status !== 204)) return 'unavailable';
      const tokenId = tokenIdOf(reply.envelope);
      return tokenId === null ? 'none' : seal(cardId, tokenId);
    },

    async read(terminal: TerminalRef, card: StoredCardRef): Promise<StoredCardState> {
      const tokenId = await open(card);
      // The key is missing, which a new setting may correct.
      if (tokenId === null) return { kind: 'unavailable' };
      const reply = await call(terminal, tokenPath(tokenId));
      if (reply.kind !== 'answer') return { kind: 'unavailable' };
      if (reply.status === 404 || reply.status === 204) return { kind: 'ended' };
      const token = reply.status === 200 ? tokenOf(reply.envelope) : undefined;
      if (!token) return { kind: 'unavailable' };
      if (isEnded(token.status)) return { kind: 'ended' };
      if (token.status.toUpperCase() !== 'ACTIVE') return { kind: 'unavailable' };
      return {
        kind: 'active',
        brand: token['card-type'],
        lastFour: token['last-four-digits'],
        expiresOn: monthOf(token['exp-date']),
      };
    },

    async remove(terminal: TerminalRef, card: StoredCardRef, keptCards: StoredCardRef[]): Promise<CardDeletion> {
      const tokenId = await open(card);
      if (tokenId === null) return 'unavailable';
      for (const keptCard of keptCards) {
        const keptTokenId = await open(keptCard);
        // It may be the same token.
        if (keptTokenId === null) return 'unavailable';
        if (keptTokenId === tokenId) return 'deleted';
      }
      const reply = await call(terminal, tokenPath(tokenId), { method: 'PUT', body: { status: 'DELETED' } });
      if (reply.kind !== 'answer') return 'unavailable';
      if (reply.status === 404 || reply.status === 204) return 'not-found';
      return reply.status === 200 && isEnded(tokenOf(reply.envelope)?.status) ? 'deleted' : 'unavailable';
    },
  };
}

const isEnded = (status = ''): boolean => ['DELETED', 'INACTIVE'].includes(status.toUpperCase());
