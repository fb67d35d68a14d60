import { fullName } from '#shared/contracts/payment';
import type { StoredCardChargeBody } from '#shared/contracts/payments/stored-cards';
import { decimalFromCents } from '#shared/money';
import { findSessionUser } from '#worker/data/merchants/sessions';
import { claimAttempt, findAttempt, releaseClaim } from '#worker/data/payments/attempts';
import { refuseSale } from '#worker/data/payments/refused-tokens';
import type { Attempt, StoredCard } from '#worker/data/schema/schema';
import { findStoredCard, isChargeable } from '#worker/data/stored-cards/stored-cards';
import type { Deps } from '#worker/deps';
import { callCrm } from '#worker/domain/crm-sync/access';
import {
  loadMerchantInvoice,
  type MerchantInvoice,
  readMerchantInvoice,
} from '#worker/domain/invoices/merchant-invoice';
import { keepsCards } from '#worker/domain/merchants/cards-on-file';
import type { Merchant } from '#worker/domain/merchants/session';
import { paymentBlock } from '#worker/domain/not-payable-reason';
import { isExpired } from '#worker/domain/stored-cards/expiry';
import { type CardReading, readCard } from '#worker/domain/stored-cards/read-card';
import { causeOf } from '#worker/log';
import {
  claimEvent,
  findBlockingAttempt,
  newAttempt,
  refreshAttempt,
  refusalAfterRelease,
  releaseEvent,
} from './attempts.ts';
import { type InvoicePrice, type PriceRefusal, priceInvoice } from './price.ts';
import { recordRefusedCredentials } from './query-any-terminal.ts';
import { settleCharge } from './settle.ts';

/** Nothing was charged, except with `charge`, whose attempt has the state. */
export type CardChargeOutcome =
  | { kind: 'charge'; attempt: Attempt }
  | { kind: 'not-found' | 'cards-on-file-off' | 'card-removed' | 'card-expired' | 'other-customer' }
  | { kind: 'at-the-desk' | 'being-paid' | 'paused' | 'closing' | 'gateway-unavailable' | 'not-started' }
  | PriceRefusal;

type ReadyCharge = { kind: 'ready'; price: InvoicePrice; reading: ActiveReading; timeZone: string };
type ActiveReading = Extract<CardReading, { kind: 'active' }>;
type ClaimedCharge = { kind: 'claimed'; attempt: Attempt; reading: ActiveReading };

/**
 * Charges a card on file for an invoice of its customer, as staff ask. The charge makes the same claim as any payment,
 * and its amount comes from the CRM now. The same request may arrive twice: its key makes one charge, and is refused from
 * now on before staff are told that nothing was charged.
 */
export async function chargeStoredCard(
  deps: Deps,
  merchant: Merchant,
  cardId: string,
  body: StoredCardChargeBody,
): Promise<CardChargeOutcome> {
  const outcome = await claimForCard(deps, merchant, cardId, body);
  if (outcome.kind === 'claimed') return { kind: 'charge', attempt: await charge(deps, outcome) };
  if (outcome.kind === 'charge') return outcome;
  const submission = { accountId: merchant.accountId, id: body.invoiceId, attemptKey: body.key };
  // If this cannot be written, the request fails, and staff see an unknown outcome, whose repetition is harmless.
  const fasterAttempt = await refuseSale(deps.db, submission, deps.now());
  return fasterAttempt ? { kind: 'charge', attempt: fasterAttempt } : outcome;
}

async function claimForCard(
  deps: Deps,
  merchant: Merchant,
  cardId: string,
  body: StoredCardChargeBody,
): Promise<ClaimedCharge | CardChargeOutcome> {
  const [card, loaded] = await Promise.all([
    findStoredCard(deps.db, merchant.accountId, cardId),
    loadMerchantInvoice(deps, merchant, body.invoiceId),
    deps.payments.refresh(),
  ]);
  if (!card || !loaded) return { kind: 'not-found' };
  const earlierOutcome = await findEarlierOutcome(deps, loaded, body);
  if (earlierOutcome) return earlierOutcome;
  const preparation = await prepare(deps, merchant, card, loaded, body);
  if (preparation.kind !== 'ready') return preparation;

  const { price, reading, timeZone } = preparation;
  const attempt = {
    ...newAttempt(deps, {
      invoice: price.invoice,
      amountCents: price.amountCents,
      part: price.part,
      channel: 'stored-card',
      method: 'card',
      terminalId: reading.terminal.terminalId,
      timeZone,
      timeoutMs: deps.settings.CHARGE_TIMEOUT_MS,
      checkAfterMs: deps.settings.CHARGE_TIMEOUT_MS + deps.settings.SENT_GRACE_MS,
    }),
    receiptTo: price.invoice.contactEmail || card.email,
    payId: null,
    attemptKey: body.key,
    storedCardId: card.id,
    startedBy: (await findSessionUser(deps.db, merchant))?.email ?? '',
    payerFirstName: price.invoice.contactFirstName,
    payerLastName: price.invoice.contactLastName,
    payerLanguage: card.consentLanguage,
    billedTo: fullName(price.invoice.contactFirstName, price.invoice.contactLastName) || price.invoice.companyName,
  };
  try {
    const { isClaimed } = await claimAttempt(deps.db, attempt, isChargeable(card, body), claimEvent(deps, attempt));
    const claimedAttempt = isClaimed ? await findAttempt(deps.db, attempt.id) : undefined;
    if (claimedAttempt) return { kind: 'claimed', attempt: claimedAttempt, reading };
  } catch (cause) {
    // The write may have succeeded. Nothing was sent to the gateway, so it can be undone.
    deps.log.alert('claim-failed', { accountId: card.accountId, attemptId: attempt.id, cause: causeOf(cause) });
    await releaseClaim(deps.db, attempt.id, deps.now(), releaseEvent(deps, attempt)).catch(() => undefined);
    return { kind: 'not-started' };
  }
  return reasonForLostClaim(deps, merchant, attempt, body);
}

/** Another claim was made, or the card or the setting ended, after the checks. */
async function reasonForLostClaim(
  deps: Deps,
  merchant: Merchant,
  attempt: Parameters<typeof refusalAfterRelease>[1] & { storedCardId: string },
  body: StoredCardChargeBody,
): Promise<CardChargeOutcome> {
  const [card, loaded] = await Promise.all([
    findStoredCard(deps.db, merchant.accountId, attempt.storedCardId),
    loadMerchantInvoice(deps, merchant, body.invoiceId),
  ]);
  const earlierOutcome = loaded && (await findEarlierOutcome(deps, loaded, body));
  if (earlierOutcome) return earlierOutcome;
  if (card?.endedAt != null) return endedCardOutcome(card);
  if (loaded?.account?.keepsCards === false) return { kind: 'cards-on-file-off' };
  return refusalAfterRelease(loaded?.attempts ?? [], attempt) ?? { kind: 'not-started' };
}

const endedCardOutcome = ({ endedReason }: StoredCard): CardChargeOutcome => ({
  kind: endedReason === 'expired' ? 'card-expired' : 'card-removed',
});

/** The outcome of the same request's earlier charge, or of another payment that keeps the invoice closed. */
async function findEarlierOutcome(
  deps: Deps,
  loaded: MerchantInvoice,
  { key }: StoredCardChargeBody,
): Promise<CardChargeOutcome | null> {
  const sameAttempt = loaded.attempts.find(
    ({ attemptKey, channel }) => attemptKey === key && channel === 'stored-card',
  );
  if (sameAttempt) return { kind: 'charge', attempt: await refreshAttempt(deps, sameAttempt) };
  const invoice = loaded.invoice ?? UNCOPIED_INVOICE;
  const otherAttempt = await findBlockingAttempt(deps, loaded.attempts, invoice);
  if (!otherAttempt) return null;
  if (otherAttempt.state === 'approved') return { kind: 'already-paid' };
  if (otherAttempt.state === 'pending') return { kind: 'pending' };
  return { kind: otherAttempt.channel === 'terminal' ? 'at-the-desk' : 'being-paid' };
}

/** An invoice that has not been copied from the CRM yet. */
const UNCOPIED_INVOICE = { localStatus: 'none', partBaseCents: null } as const;

/** All steps before the claim. The provider is asked last, because its answer must be recent when the card is charged. */
async function prepare(
  deps: Deps,
  merchant: Merchant,
  card: StoredCard,
  loaded: MerchantInvoice,
  body: StoredCardChargeBody,
): Promise<ReadyCharge | CardChargeOutcome> {
  const { account } = loaded;
  if (!account || !keepsCards(deps, account)) return { kind: 'cards-on-file-off' };
  if (card.endedAt !== null) return endedCardOutcome(card);
  const { accountId, restoredAt, closesAt, timeZone } = account;
  const block = await paymentBlock(deps, { accountId, restoredAt, closesAt, hasTerminal: true });
  if (block) return { kind: block === 'paused' || block === 'closing' ? block : 'gateway-unavailable' };
  const price = await priceCurrentInvoice(deps, merchant, loaded, body);
  if (price.kind !== 'priced') return price;
  if (price.invoice.contactId !== card.contactId) return { kind: 'other-customer' };
  const reading = await readCard(deps, card);
  if (reading.kind === 'unavailable') return { kind: 'gateway-unavailable' };
  if (reading.kind === 'ended') return { kind: 'card-removed' };
  return isExpired(reading.card.expiresOn, deps.now())
    ? { kind: 'card-expired' }
    : { kind: 'ready', price, reading, timeZone };
}

async function priceCurrentInvoice(
  deps: Deps,
  merchant: Merchant,
  loaded: MerchantInvoice,
  { amountCents }: StoredCardChargeBody,
): Promise<InvoicePrice | PriceRefusal | { kind: 'not-found' }> {
  const crmInvoice = await callCrm(deps, merchant.accountId, () => readMerchantInvoice(deps, merchant, loaded));
  if (crmInvoice === 'crm-unavailable') return { kind: crmInvoice };
  // The read above has just copied a missing invoice.
  const storedInvoice = loaded.invoice ?? (await loadMerchantInvoice(deps, merchant, loaded.invoiceId))?.invoice;
  if (!crmInvoice || !storedInvoice) return { kind: 'not-found' };
  const amount = decimalFromCents(amountCents);
  const isInParts = storedInvoice.partBaseCents !== null;
  return priceInvoice(deps, storedInvoice, crmInvoice, {
    amountShown: isInParts ? undefined : amount,
    part: isInParts ? { amount } : undefined,
    method: 'card',
  });
}

/** Sends a claimed charge and writes its outcome. If the answer is lost, a status inquiry looks it up by its order id. */
async function charge(deps: Deps, { attempt, reading }: ClaimedCharge): Promise<Attempt> {
  const { accountId } = attempt;
  deps.log.info('stored-card-charged', { accountId, attemptId: attempt.id, cardId: reading.card.id });
  const outcome = await deps.gateway.chargeStoredCard({
    terminal: reading.terminal,
    card: reading.ref,
    attemptId: attempt.id,
    dedupeKey: attempt.dedupeKey,
    invoiceNumber: attempt.invoiceNumber,
    amountCents: attempt.amountCents,
    customer: { firstName: attempt.payerFirstName, lastName: attempt.payerLastName },
  });
  const settledAttempt = await settleCharge(deps, attempt, outcome);
  if (outcome.kind === 'rejected' && outcome.reason === 'credentials')
    await recordRefusedCredentials(deps, reading.terminal);
  return settledAttempt ?? attempt;
}
