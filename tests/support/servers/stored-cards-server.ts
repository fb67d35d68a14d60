import type { StoredCard, StoredCardCharge, StoredCardChargeBody } from '#shared/contracts/payments/stored-cards';
import type { Call, Caller } from './answer-calls.ts';
import { answerCalls } from './answer-calls.ts';

export const CONSENT = 'Keep this card for later bills of Maple Street Dental.';

export const VISA: StoredCard = {
  id: 'card-1',
  brand: 'VISA',
  last4: '1111',
  expiresOn: '2099-12',
  consent: { words: CONSENT, language: 'en', givenAt: '2026-05-03T15:00:00.000Z' },
  usable: true,
};
export const MASTERCARD: StoredCard = { ...VISA, id: 'card-2', brand: 'MASTERCARD', last4: '4444' };
export const EXPIRED: StoredCard = { ...VISA, id: 'card-3', expiresOn: '2026-03', usable: false, reason: 'expired' };

const APPROVED: StoredCardCharge = {
  state: 'approved',
  paymentId: 'p1',
  amountCents: 22_050,
  currency: 'USD',
  message: '',
  receiptUrl: '/receipt/r1',
  receiptTo: 'marta@payer.example',
};

type Reply = Partial<StoredCardCharge> | { status: number; code: string; message: string } | 'no answer';

/** Answers the calls about a customer's stored cards. */
type StoredCardsServer = {
  cards: StoredCard[];
  /** The replies to the next charges. The last one is repeated, and without any, each charge is approved. */
  replies: Reply[];
  /** The charges that were sent, with the card's id. */
  charges: (StoredCardChargeBody & { cardId: string })[];
  /** The customers whose cards were requested. */
  contactIds: string[];
  /** The ids of the removed cards. */
  removed: string[];
};

export async function serveStoredCards(caller: Caller, ...cards: StoredCard[]): Promise<StoredCardsServer> {
  const server: StoredCardsServer = { cards, replies: [], charges: [], contactIds: [], removed: [] };
  await answerCalls(
    caller,
    ({ pathname }) => pathname.startsWith('/api/stored-cards'),
    (call) => answer(call, server),
  );
  return server;
}

async function answer(call: Call, server: StoredCardsServer): Promise<void> {
  const { url, method, readBody, fulfill } = call;
  const cardId = url.pathname.split('/')[3] ?? '';
  if (method === 'GET') {
    server.contactIds.push(url.searchParams.get('contactId') ?? '');
    return fulfill({ json: { cards: server.cards } });
  }
  if (method === 'DELETE') {
    server.removed.push(cardId);
    server.cards = server.cards.filter(({ id }) => id !== cardId);
    return fulfill({ json: { ended: true } });
  }
  server.charges.push({ ...readBody<StoredCardChargeBody>(), cardId });
  const reply = (server.replies.length > 1 ? server.replies.shift() : server.replies[0]) ?? {};
  if (reply === 'no answer') return call.abort();
  if ('status' in reply) {
    const { status, ...error } = reply;
    return fulfill({ status, json: { error } });
  }
  const isUnpaid = reply.state !== undefined && reply.state !== 'approved';
  return fulfill({ json: { ...APPROVED, ...(isUnpaid && { receiptUrl: null, receiptTo: '' }), ...reply } });
}
