import {
  StoredCardCharge,
  StoredCardChargeBody,
  StoredCardEnded,
  StoredCardsQuery,
  StoredCardsReply,
} from '#shared/contracts/payments/stored-cards';
import { operator } from '#shared/operator';
import { cardPath, receiptPath } from '#shared/paths';
import { AMOUNT_UNREADABLE } from '#shared/text/staff-words';
import { fill, wordsIn } from '#shared/words/bilingual';
import { removeCardWords } from '#shared/words/stored-card-words';
import { depsOfCapability } from '#worker/clinic/capability-keys';
import { receiptMailId } from '#worker/data/mail/outbox';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { monthText } from '#worker/domain/mail/card-mails';
import { cardText } from '#worker/domain/mail/receipt';
import { sendMail } from '#worker/domain/mail/send';
import { type CardChargeOutcome, chargeStoredCard } from '#worker/domain/payments/charge-stored-card';
import { providerError } from '#worker/domain/payments/pay-outcome';
import { removeCardByStaff } from '#worker/domain/stored-cards/end-card';
import { type RemovableCard, removeCardByPayer, viewRemovableCard } from '#worker/domain/stored-cards/remove-page';
import { viewStoredCards } from '#worker/domain/stored-cards/view-cards';
import { keepLanguage, languageOf, otherPages, STATE_SHELL, shellPathOf } from '#worker/http/read/browser';
import { apiError } from '#worker/http/reply/errors';
import { sendFilledPage } from '#worker/http/reply/page-template';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, htmlPage, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes with which staff see, charge and remove the cards on file of a customer. */
export const storedCardRoutes: Routes = {
  'GET /api/stored-cards': route({
    access: 'staff',
    summary: 'List the cards on file of a customer',
    query: StoredCardsQuery,
    answers: { 200: StoredCardsReply },
    handle: async ({ c, deps, merchant, query }) => c.json(await viewStoredCards(deps, merchant, query.contactId)),
  }),
  'POST /api/stored-cards/:id/charges': route({
    access: 'staff: collect',
    summary: 'Charge a card on file for an invoice',
    body: StoredCardChargeBody,
    answers: { 200: StoredCardCharge, 202: StoredCardCharge },
    errors: [409, 503],
    handle: postCharge,
  }),
  'DELETE /api/stored-cards/:id': route({
    access: 'staff: collect',
    summary: 'Remove a card on file',
    answers: { 200: StoredCardEnded },
    handle: deleteCard,
  }),
};

const idOf = (c: C) => c.req.param('id') ?? '';

async function deleteCard({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const isFound = await removeCardByStaff(deps, merchant, idOf(c));
  return isFound ? c.json({ ended: true } satisfies StoredCardEnded) : apiError(c, 404, 'not-found', 'Card not found.');
}

async function postCharge({ c, deps, merchant, body }: StaffRequest<typeof StoredCardChargeBody>): Promise<Response> {
  const outcome = await chargeStoredCard(deps, merchant, idOf(c), body);
  if (outcome.kind !== 'charge') return refuse(c, outcome);
  const { attempt } = outcome;
  if (attempt.state === 'rejected') return refuseRejected(c, attempt);
  if (attempt.state === 'approved') runToCompletion(c, sendMail(deps, receiptMailId(attempt.id)));
  const reply = presentCharge(attempt);
  return c.json(reply, reply.state === 'unknown' ? 202 : 200);
}

/** The state of a charge for staff. One that was voided or refunded later was approved. */
function stateOf({ state }: Attempt): StoredCardCharge['state'] {
  switch (state) {
    case 'approved':
    case 'voided':
    case 'refunded':
      return 'approved';
    case 'declined':
    case 'returned':
      return 'declined';
    case 'rejected':
    case 'not_charged':
    case 'cancelled':
    case 'timed_out':
      return 'not-charged';
    case 'sent':
    case 'unknown':
    case 'pending':
    case 'needs_human':
      return 'unknown';
  }
}

function presentCharge(attempt: Attempt): StoredCardCharge {
  const state = stateOf(attempt);
  const isPaid = state === 'approved';
  return {
    state,
    paymentId: attempt.id,
    amountCents: attempt.amountCents,
    currency: attempt.currency,
    message: state === 'declined' ? providerError(attempt)['error-message'] : '',
    receiptUrl: isPaid ? receiptPath(attempt.receiptId) : null,
    receiptTo: isPaid ? attempt.receiptTo : '',
  };
}

/** The gateway refused the request, so nothing was charged. */
function refuseRejected(c: C, { refusal, message }: Attempt): Response {
  if (refusal === 'credentials') return refuse(c, { kind: 'gateway-unavailable' });
  // Only the token itself leaves no reason.
  if (refusal === '') return refuse(c, { kind: 'card-removed' });
  return apiError(
    c,
    409,
    'gateway-refused',
    `${message || 'The card provider refused the charge.'} Nothing was charged.`,
  );
}

function refuse(c: C, outcome: Exclude<CardChargeOutcome, { kind: 'charge' }>): Response {
  switch (outcome.kind) {
    case 'not-found':
      return apiError(c, 404, 'not-found', 'Card or invoice not found.');
    case 'cards-on-file-off':
      return apiError(c, 409, 'cards-on-file-off', 'Cards on file are switched off. Nothing was charged.');
    case 'card-removed':
      return apiError(c, 409, 'card-removed', 'This card is no longer on file. Nothing was charged.');
    case 'card-expired':
      return apiError(c, 409, 'card-expired', 'This card has expired. Nothing was charged.');
    case 'other-customer':
      return apiError(c, 409, 'conflict', 'This invoice belongs to another customer. Nothing was charged.');
    case 'being-paid':
      return apiError(c, 409, 'being-paid', 'This invoice is being paid already. Nothing was charged.');
    case 'at-the-desk':
      return apiError(c, 409, 'at-the-desk', 'This invoice is being paid on a card reader. Nothing was charged.');
    case 'already-paid':
      return apiError(c, 409, 'already-paid', 'This invoice is already paid. Nothing was charged.');
    case 'pending':
      return apiError(c, 409, 'pending', 'A bank payment for this invoice is on its way. Nothing was charged.');
    case 'amount-changed':
      return apiError(c, 409, 'amount-changed', 'The amount due has changed. Nothing was charged.');
    case 'frozen':
      return apiError(
        c,
        409,
        'amount-unclear',
        'The amount due has changed. Open the invoice and confirm what is owed.',
      );
    case 'part-refused':
      return apiError(c, 422, 'part-refused', outcome.message, { fields: ['amountCents'] });
    case 'nothing-to-pay':
      return apiError(c, 409, 'nothing-to-pay', 'This invoice has no amount to pay.');
    case 'amount-unreadable':
      return apiError(c, 409, 'amount-unreadable', `${AMOUNT_UNREADABLE} Nothing was charged.`);
    case 'not-payable-online':
      return apiError(c, 409, 'not-payable-online', 'This invoice cannot be paid here.');
    case 'crm-unavailable':
      c.header('retry-after', '30');
      return apiError(c, 503, 'crm-unavailable', 'We cannot confirm the amount right now. Nothing was charged.');
    case 'paused':
      return apiError(c, 503, 'paused', 'Online payments are paused. Nothing was charged.');
    case 'closing':
      return apiError(c, 409, 'conflict', 'This account is being closed, so no new payments are taken.');
    case 'gateway-unavailable':
      c.header('retry-after', '300');
      return apiError(c, 503, 'gateway-unavailable', 'The card provider does not respond. Nothing was charged.');
    case 'not-started':
      c.header('retry-after', '5');
      return apiError(c, 503, 'not-started', 'The charge could not be started. Nothing was charged. Please try again.');
  }
}

/**
 * The page on which a payer removes a card, by the link in each receipt. GET changes nothing, because scanners open all
 * links in an email.
 */
export const removeCardRoutes: Routes = {
  'GET /card/:removeKey': route({
    access: 'holder of a card link',
    summary: 'Open the page to remove a card on file',
    answers: { 200: htmlPage, 404: htmlPage },
    handle: ({ c, deps }) => sendCardPage(c, deps, viewRemovableCard),
  }),
  'POST /card/:removeKey': route({
    access: 'holder of a card link',
    summary: 'Remove a card on file as its payer',
    bodyLimit: 1000,
    refuse: (c, status, _code, message) => c.text(message, status),
    answers: { 200: htmlPage, 404: htmlPage, 413: { media: 'text/plain' } },
    handle: ({ c, deps }) => sendCardPage(c, deps, removeCardByPayer),
  }),
};

async function sendCardPage(
  c: C,
  requestDeps: Deps,
  action: (deps: Deps, removeKey: string) => Promise<RemovableCard | null>,
): Promise<Response> {
  const removeKey = c.req.param('removeKey') ?? '';
  const deps = depsOfCapability(requestDeps, removeKey);
  const view = deps && (await action(deps, removeKey));
  const language = languageOf(c, view?.card.consentLanguage);
  const { supportPhone: phone, supportEmail: email } = operator;
  const card = view?.card;
  const words = wordsIn(removeCardWords, language);
  return sendFilledPage(
    c,
    shellPathOf(STATE_SHELL, language),
    {
      state: card ? (card.endedAt === null ? 'card' : 'card-removed') : 'card-unknown',
      texts: {
        title: words.title,
        business: null,
        number: null,
        customer: null,
        company: null,
        paymentAmount: null,
        paymentDay: null,
        phone,
        email,
        sender: view?.business ?? null,
        card: card ? cardText({ cardBrand: card.brand, cardLastFour: card.lastFour }) : null,
        expires: card?.expiresOn ? fill(words.expires, { month: monthText(card.expiresOn) }) : null,
      },
      links: {
        tel: `tel:${phone.replace(/[^\d+]/g, '')}`,
        mail: `mailto:${email}`,
        receipt: null,
        self: keepLanguage(c, cardPath(removeKey)),
        ...otherPages(c, language),
      },
    },
    { status: view ? 200 : 404 },
  );
}
