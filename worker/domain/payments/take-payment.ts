import { fullName } from '#shared/contracts/payment';
import { billingOnFile, type TakePaymentBody } from '#shared/contracts/payments/payment-request';
import type { Wallet } from '#shared/contracts/payments/wallet-values';
import { walletName } from '#shared/text/wallet-name';
import { isNoSuchClinic } from '#worker/clinic/no-such-clinic';
import { claimAttempt, releaseClaim } from '#worker/data/payments/attempts';
import type { VelocityLimits } from '#worker/data/payments/decline-counts';
import { loadForPayment, type Payable } from '#worker/data/payments/load-payable';
import { isFormRefused } from '#worker/data/payments/refused-tokens';
import { deleteSignature, putSignature, signatureKey } from '#worker/data/preview/signatures';
import type { Attempt } from '#worker/data/schema/schema';
import { terminalRef } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { ipKeyOf } from '#worker/domain/audit/event';
import { callCrm } from '#worker/domain/crm-sync/access';
import { payableState } from '#worker/domain/invoices/invoice-balance';
import { paymentBlock, paymentContextOf } from '#worker/domain/not-payable-reason';
import { linkState } from '#worker/domain/pay-links/pay-link';
import { readSignature, SignatureError } from '#worker/files/signature';
import { causeOf } from '#worker/log';
import { answerFor, answerFromEarlier, claimEvent, newAttempt, refusalAfterRelease, releaseEvent } from './attempts.ts';
import { type PayOutcome, refuseRepeatedForm } from './pay-outcome.ts';
import { type InvoicePrice, priceInvoice, readInvoiceFromCrm } from './price.ts';
import { recordRefusedCredentials, recordWorkingCredentials } from './query-any-terminal.ts';
import { settleCharge } from './settle.ts';
import {
  checkVelocity,
  countDeclinesEverywhere,
  countParameters,
  HOUR_S,
  limitsFor,
  type Payer,
  recordDecline,
} from './velocity-limits.ts';

/**
 * Charges an invoice once. The order makes it safe: look up, read the amount from the CRM, store the signature, claim
 * the invoice, charge, settle. A failure before the claim has moved no money, and the form can no longer claim the
 * invoice. After a later failure, a status inquiry finds the charge.
 */
export async function takePayment(
  callerDeps: Deps,
  payId: string,
  body: TakePaymentBody,
  payer: Payer,
): Promise<PayOutcome> {
  const tokenHash = await callerDeps.sha256(body.paymentDetails);
  const ipKey = await ipKeyOf(callerDeps, payer.clientIp);
  const deps: Deps = { ...callerDeps, actor: { ...callerDeps.actor, kind: 'payer', ipHash: ipKey } };
  const submission: Submission = { payId, tokenHash, attemptKey: body.attemptId ?? null, ipKey, payer };
  const claimResult = await claimInvoice(deps, submission, body);
  if (claimResult.kind === 'claimed') return charge(deps, claimResult, payer);
  return refuseRepeatedForm(deps, submission, claimResult);
}

type ClaimedInvoice = { kind: 'claimed'; terminal: Terminal; attempt: LinkAttempt; form: TakePaymentBody };

/** A submission of the payment form, with its link, card token, form key and origin. */
type Submission = { payId: string; tokenHash: string; attemptKey: string | null; ipKey: string; payer: Payer };

/** All steps before the charge. */
async function claimInvoice(
  deps: Deps,
  submission: Submission,
  body: TakePaymentBody,
): Promise<ClaimedInvoice | PayOutcome> {
  let signature: Uint8Array<ArrayBuffer>;
  try {
    signature = await readSignature(body.signature);
  } catch (cause) {
    if (cause instanceof SignatureError) return { kind: 'bad-signature', message: cause.message };
    throw cause;
  }
  const preparation = await prepare(deps, submission, body).catch(handleNotStarted(deps));
  if (preparation.kind !== 'ready') return preparation;
  const { payable, terminal, limits } = preparation;

  const form = { ...body, ...preparation.billing };
  const { tokenHash, ipKey, payer } = submission;
  const payerFacts = { tokenHash, ipKey, payerLanguage: payer.language ?? ('' as const) };
  const attempt = linkAttempt(deps, payable, preparation, form, payerFacts);
  try {
    await putSignature(deps.media, attempt.signatureKey, signature);
  } catch (cause) {
    deps.log.alert('signature-not-kept', { accountId: attempt.accountId, cause: causeOf(cause) });
    return { kind: 'not-started' };
  }
  const refusal = await claim(deps, payable, attempt, limits, submission);
  if (!refusal) return { kind: 'claimed', terminal, attempt, form };
  // No row refers to the file, so a leftover file is harmless, and the response must not depend on the deletion.
  await deleteSignature(deps.media, attempt.signatureKey).catch(() => undefined);
  return refusal;
}

type Terminal = NonNullable<Payable['terminal']>;
type ReadyPayment = Omit<PricedPayable, 'kind'> & { kind: 'ready'; terminal: Terminal; limits: VelocityLimits };

/** Loads the link with its data and attempts, and the limits for this payer, by one query to each of two databases. */
async function loadSubmission(deps: Deps, { payId, tokenHash, ipKey, payer }: Submission) {
  const [loaded, totalDeclines] = await Promise.all([
    loadForPayment(deps.db, payId, tokenHash, countParameters(deps, ipKey)),
    countDeclinesEverywhere(deps, ipKey),
  ]);
  return { ...loaded, limits: limitsFor(deps, payer, loaded.payable?.link.accountId, loaded.counts, totalDeclines) };
}

/** All steps before the claim. Nothing is charged yet, and no failure here can lead to a charge. */
async function prepare(deps: Deps, submission: Submission, body: TakePaymentBody): Promise<ReadyPayment | PayOutcome> {
  const [{ payable, attempts, limits, counts }] = await Promise.all([
    loadSubmission(deps, submission),
    deps.payments.refresh(),
  ]);
  if (!payable) return { kind: 'not-found' };
  const earlier = await answerFromEarlier(deps, payable, attempts, submission.tokenHash, body.attemptId);
  if (earlier) return earlier;
  if (linkState(payable, deps.now()) !== 'live') return { kind: 'link-ended' };
  // A page that was opened before the block may still submit its form.
  const block = await paymentBlock(deps, paymentContextOf(payable));
  if (block === 'paused' || block === 'closing') return { kind: block };
  const tooMany = checkVelocity(counts, limits);
  if (tooMany && block !== 'catching-up') return tooMany;
  const { terminal } = payable;
  if (block || !terminal) return { kind: 'gateway-unavailable' };
  const pricedPayable = await pricePayable(deps, payable, body);
  return pricedPayable.kind === 'priced' ? { ...pricedPayable, kind: 'ready', terminal, limits } : pricedPayable;
}

/** Handles a failure of D1 before the claim. Only then may the payer be told that nothing was charged. */
const handleNotStarted =
  (deps: Deps) =>
  (cause: unknown): PayOutcome => {
    if (isNoSuchClinic(cause)) return { kind: 'not-found' };
    deps.log.alert('payment-not-started', { clinic: deps.clinic, cause: causeOf(cause) });
    return { kind: 'not-started' };
  };

/** `billing`: the address on file, if the payer uses it. It is sent only to the gateway. */
type PricedPayable = Omit<InvoicePrice, 'invoice'> & { payable: Payable; billing: Partial<Billing> };
type Billing = Extract<ReturnType<typeof billingOnFile>, { ok: true }>['billing'];

const CARDS_ONLY_TEXT = 'Payments from a bank account are no longer accepted here. Please pay by card.';
const walletRefusedText = (wallet: Wallet) =>
  `${walletName(wallet)} is no longer accepted here. Please enter your card details.`;

/** The amount (cents), read from the CRM in this request. Without a fresh amount there is no charge. */
async function pricePayable(
  deps: Deps,
  payable: Payable,
  { amountShown, part, paymentType: method, wallet, addressOnFile }: TakePaymentBody,
): Promise<PricedPayable | PayOutcome> {
  // A page that was opened before a method was switched off may still offer it.
  const { takesBankPayments, takesApplePay, takesGooglePay } = payable.account;
  if (method === 'ach' && !takesBankPayments) return { kind: 'part-refused', message: CARDS_ONLY_TEXT };
  if (wallet && !{ apple: takesApplePay, google: takesGooglePay }[wallet])
    return { kind: 'part-refused', message: walletRefusedText(wallet) };
  const crmInvoice = await callCrm(deps, payable.link.accountId, () => readInvoiceFromCrm(deps, payable));
  if (crmInvoice === 'crm-unavailable') return { kind: crmInvoice };
  if (!crmInvoice) return { kind: 'not-found' };
  const invoicePrice = await priceInvoice(deps, payable.invoice, crmInvoice, { amountShown, part, method });
  if (invoicePrice.kind !== 'priced') return invoicePrice;
  const billingResult = addressOnFile ? billingOnFile(crmInvoice.contactAddress) : null;
  if (billingResult?.ok === false) return { kind: 'address-missing', fields: billingResult.fields };
  const { invoice, ...rest } = invoicePrice;
  return { ...rest, payable: { ...payable, invoice }, billing: billingResult?.billing ?? {} };
}

type LinkAttempt = ReturnType<typeof linkAttempt>;

/** The new attempt of a payer who uses a pay link. */
function linkAttempt(
  deps: Deps,
  { link, account, invoice, terminal }: Payable,
  { amountCents, part }: Pick<InvoicePrice, 'amountCents' | 'part'>,
  body: TakePaymentBody,
  payerFacts: Pick<Attempt, 'ipKey' | 'payerLanguage'> & { tokenHash: string },
) {
  const { CHARGE_TIMEOUT_MS, SENT_GRACE_MS } = deps.settings;
  const attempt = newAttempt(deps, {
    invoice,
    amountCents,
    part,
    channel: 'link',
    method: body.paymentType,
    terminalId: terminal?.terminalId ?? '',
    timeZone: account.timeZone,
    timeoutMs: CHARGE_TIMEOUT_MS,
    checkAfterMs: CHARGE_TIMEOUT_MS + SENT_GRACE_MS,
  });
  return {
    ...attempt,
    wallet: body.wallet ?? ('' as const),
    payId: link.payId,
    attemptKey: body.attemptId ?? null,
    ...payerFacts,
    payerFirstName: body.firstName,
    payerLastName: body.lastName,
    payerAddress: body.address,
    payerAddress2: body.address2,
    payerCity: body.city,
    payerState: body.state,
    payerZip: body.zip,
    signatureKey: signatureKey(link.accountId, attempt.id),
    signedBy: body.signing.kind,
    signedWords: body.signing.words,
    billLines: account.showsLines ? invoice.billLines : '',
    billedTo: fullName(invoice.contactFirstName, invoice.contactLastName) || invoice.companyName,
  };
}

/** Claims the invoice for this attempt. Returns null if that succeeds, and otherwise the outcome of the payment. */
async function claim(
  deps: Deps,
  payable: Payable,
  attempt: LinkAttempt,
  limits: VelocityLimits,
  submission: Submission,
): Promise<PayOutcome | null> {
  const { payId, tokenHash, ipKey } = submission;
  const claimParameters = { ...limits, payId, ipKey, now: attempt.createdAt };
  try {
    // Tries twice, because the conflicting attempt may have ended in between.
    for (let tries = 0; tries < 2; tries++) {
      const { isClaimed: won, others } = await claimAttempt(
        deps.db,
        attempt,
        claimParameters,
        claimEvent(deps, attempt),
      );
      if (won) return null;
      const earlier = await answerFromEarlier(deps, payable, others, tokenHash, attempt.attemptKey ?? undefined);
      if (earlier) return earlier;
    }
  } catch (cause) {
    if (isNoSuchClinic(cause)) return { kind: 'not-found' };
    // The write may have succeeded. Nothing was sent to the gateway, so it can be undone. If that fails too, the claim
    // may hold the invoice until it expires, and the payer is not told to try again.
    deps.log.alert('claim-failed', { accountId: attempt.accountId, attemptId: attempt.id, cause: causeOf(cause) });
    return releaseClaim(deps.db, attempt.id, deps.now(), releaseEvent(deps, attempt)).then(
      () => ({ kind: 'not-started' }),
      () => ({ kind: 'pending' }),
    );
  }
  return reasonForLostClaim(deps, submission, attempt).catch(handleNotStarted(deps));
}

/**
 * The reason for a lost claim without a conflicting attempt: the link, the invoice, the token or the counts have
 * changed since they were read.
 */
async function reasonForLostClaim(deps: Deps, submission: Submission, attempt: LinkAttempt): Promise<PayOutcome> {
  const { payable, attempts, limits, counts } = await loadSubmission(deps, submission);
  if (!payable || linkState(payable, deps.now()) !== 'live') return { kind: 'link-ended' };
  const state = payableState(payable.invoice, deps.settings.MAX_AMOUNT_CENTS);
  if (state === 'paid') return { kind: 'already-paid' };
  if (state === 'submitted') return { kind: 'pending' };
  const refusal = refusalAfterRelease(attempts, attempt);
  if (refusal) return refusal;
  if (await isFormRefused(deps.db, submission)) return { kind: 'token-refused' };
  const tooMany = checkVelocity(counts, limits);
  if (!tooMany && payable.invoice.partBaseCents !== null) return { kind: 'amount-changed' };
  return tooMany ?? { kind: 'too-many', retryAfterS: HOUR_S };
}

async function charge(
  deps: Deps,
  { terminal, attempt: claimedAttempt, form: body }: ClaimedInvoice,
  payer: Payer,
): Promise<PayOutcome> {
  const outcome = await deps.gateway.charge({
    terminal: terminalRef(terminal),
    attemptId: claimedAttempt.id,
    dedupeKey: claimedAttempt.dedupeKey,
    invoiceNumber: claimedAttempt.invoiceNumber,
    amountCents: claimedAttempt.amountCents,
    method: claimedAttempt.method,
    token: body.paymentDetails,
    accountType: body.accountType,
    billing: body,
    clientIp: payer.clientIp,
  });
  const attempt = await settleCharge(deps, claimedAttempt, outcome);
  if (attempt?.state === 'declined') await recordDecline(deps, claimedAttempt.ipKey ?? '');
  if (terminal.refusedAt !== null && outcome.kind === 'approved') await recordWorkingCredentials(deps, terminal);
  if (outcome.kind === 'rejected' && attempt?.state === 'rejected') {
    if (outcome.reason === 'credentials') {
      await recordRefusedCredentials(deps, terminal);
      return { kind: 'gateway-unavailable' };
    }
    return outcome.reason === 'token' ? { kind: 'token-refused' } : { kind: 'refused', message: outcome.message };
  }
  return attempt ? answerFor(attempt, true) : { kind: 'pending' };
}
