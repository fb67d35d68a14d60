import type { StartSaleBody } from '#shared/contracts/payments/terminals';
import { receiptMailId } from '#worker/data/mail/outbox';
import { findSessionUser } from '#worker/data/merchants/sessions';
import { claimAttempt, findAttempt, releaseClaim } from '#worker/data/payments/attempts';
import { refuseSale } from '#worker/data/payments/refused-tokens';
import type { Attempt } from '#worker/data/schema/schema';
import {
  type CounterTerminal,
  isTerminalFree,
  listCounterTerminals,
  recordResponse,
  type Sale,
  terminalRef,
} from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { callCrm } from '#worker/domain/crm-sync/access';
import {
  loadMerchantInvoice,
  type MerchantInvoice,
  readMerchantInvoice,
} from '#worker/domain/invoices/merchant-invoice';
import { sendMail } from '#worker/domain/mail/send';
import { isCatchingUp } from '#worker/domain/merchants/after-restore';
import type { Merchant } from '#worker/domain/merchants/session';
import {
  claimEvent,
  findBlockingAttempt,
  newAttempt,
  refusalAfterRelease,
  releaseEvent,
} from '#worker/domain/payments/attempts';
import { ABANDONED_CALL_MS } from '#worker/domain/payments/inquire-status';
import { type PriceRefusal, priceInvoice } from '#worker/domain/payments/price';
import { recordRefusedCredentials, recordWorkingCredentials } from '#worker/domain/payments/query-any-terminal';
import { settleCharge } from '#worker/domain/payments/settle';
import { busySince, isAtTerminal } from '#worker/domain/terminals/view-sale';
import { causeOf } from '#worker/log';
import type { TerminalSaleOutcome } from '#worker/vendors/gateway-port';

type BusyTerminal = { terminal: CounterTerminal['terminal']; attempt: Attempt; timeZone: string };

export type StartOutcome =
  /** `isNew`: just claimed, so the sale must be sent to the counter terminal. */
  | { kind: 'started'; counter: CounterTerminal & { sale: Sale }; isNew: boolean }
  | ({ kind: 'busy' } & BusyTerminal)
  | ({ kind: 'at-the-desk' } & BusyTerminal)
  /** `being-paid`: a payer is paying it by the pay link. */
  | { kind: 'no-terminal' | 'not-found' | 'being-paid' | 'not-started' | 'closing' }
  | PriceRefusal;

/**
 * Claims an invoice for a counter terminal, to which nothing has been sent yet. As with every payment, the claim
 * excludes the payer's link and other terminals; the same statement checks that the terminal is free. Because the same
 * request may arrive twice, its key is refused from now on before staff are told that nothing was started.
 */
export async function startTerminalSale(
  deps: Deps,
  merchant: Merchant,
  terminalId: string,
  body: StartSaleBody,
): Promise<StartOutcome> {
  const outcome = await claimForTerminal(deps, merchant, terminalId, body);
  if (outcome.kind === 'started' || body.attemptId === undefined) return outcome;
  const { accountId } = merchant;
  const submission = { accountId, id: body.invoiceId, attemptKey: body.attemptId };
  // If this cannot be written, the request fails. Staff then see an unknown outcome, and the screen looks it up.
  const fasterAttempt = await refuseSale(deps.db, submission, deps.now());
  const counters = fasterAttempt ? await listCounterTerminals(deps.db, accountId) : [];
  const counter = counters.find(({ terminal }) => terminal.terminalId === fasterAttempt?.terminalId);
  return fasterAttempt && counter ? startedOutcome(counter, fasterAttempt, false) : outcome;
}

async function claimForTerminal(
  deps: Deps,
  merchant: Merchant,
  terminalId: string,
  body: StartSaleBody,
): Promise<StartOutcome> {
  const counters = await listCounterTerminals(deps.db, merchant.accountId);
  const counter = counters.find(({ terminal }) => terminal.terminalId === terminalId);
  if (!counter) return { kind: 'no-terminal' };
  const loaded = await loadMerchantInvoice(deps, merchant, body.invoiceId);
  if (!loaded) return { kind: 'not-found' };

  const blockingOutcome = await findBlockingOutcome(deps, merchant, counter, loaded, body);
  if (blockingOutcome) return blockingOutcome;
  if (loaded.account?.closesAt) return { kind: 'closing' };
  if (await isCatchingUp(deps, merchant.accountId)) return { kind: 'not-started' };
  const pricedInvoice = await priceCurrentInvoice(deps, merchant, loaded, body);
  if (pricedInvoice.kind !== 'priced') return pricedInvoice;

  const user = await findSessionUser(deps.db, merchant);
  const { invoice, amountCents, part } = pricedInvoice;
  const attempt = {
    ...newAttempt(deps, {
      invoice,
      amountCents,
      part,
      channel: 'terminal',
      method: 'card',
      terminalId,
      timeZone: loaded.account?.timeZone ?? 'UTC',
      timeoutMs: deps.settings.TERMINAL_TIMEOUT_MS,
      checkAfterMs: ABANDONED_CALL_MS,
    }),
    payId: null,
    attemptKey: body.attemptId ?? null,
    startedBy: user?.email ?? '',
    payerFirstName: invoice.contactFirstName,
    payerLastName: invoice.contactLastName,
  };
  try {
    const { isClaimed: won } = await claimAttempt(
      deps.db,
      attempt,
      isTerminalFree(merchant.accountId, terminalId, busySince(deps)),
      claimEvent(deps, attempt),
    );
    const claimedAttempt = won ? await findAttempt(deps.db, attempt.id) : undefined;
    if (claimedAttempt) return startedOutcome(counter, claimedAttempt, true);
  } catch (cause) {
    // The write may have succeeded. Nothing was sent to the counter terminal, so it can be undone.
    deps.log.alert('claim-failed', {
      accountId: merchant.accountId,
      attemptId: attempt.id,
      cause: causeOf(cause),
    });
    await releaseClaim(deps.db, attempt.id, deps.now(), releaseEvent(deps, attempt)).catch(() => undefined);
    return { kind: 'not-started' };
  }
  // Another claim was made after the check above.
  const reloaded = await loadMerchantInvoice(deps, merchant, loaded.invoiceId);
  const fasterOutcome = reloaded && (await findBlockingOutcome(deps, merchant, counter, reloaded, body));
  return fasterOutcome ?? refusalAfterRelease(reloaded?.attempts ?? [], attempt) ?? { kind: 'not-started' };
}

const startedOutcome = (counter: CounterTerminal, attempt: Attempt, isNew: boolean): StartOutcome => ({
  kind: 'started',
  counter: { ...counter, sale: { attempt, customer: `${attempt.payerFirstName} ${attempt.payerLastName}`.trim() } },
  isNew,
});

/** The reason why this counter terminal cannot take this invoice. Null if there is none. */
async function findBlockingOutcome(
  deps: Deps,
  { accountId }: Merchant,
  counter: CounterTerminal,
  loaded: MerchantInvoice,
  { attemptId }: StartSaleBody,
): Promise<StartOutcome | null> {
  const existingAttempt = await findBlockingAttempt(
    deps,
    loaded.attempts,
    loaded.invoice ?? UNCOPIED_INVOICE,
    attemptId,
  );
  if (existingAttempt && attemptId !== undefined && existingAttempt.attemptKey === attemptId)
    return startedOutcome(counter, existingAttempt, false);
  if (existingAttempt?.state === 'approved') return { kind: 'already-paid' };
  if (existingAttempt?.state === 'pending') return { kind: 'pending' };
  if (existingAttempt?.channel === 'link') return { kind: 'being-paid' };
  const timeZone = loaded.account?.timeZone ?? 'UTC';
  const counters = await listCounterTerminals(deps.db, accountId);
  if (existingAttempt) {
    const holder = counters.find(({ terminal }) => terminal.terminalId === existingAttempt.terminalId) ?? counter;
    return { kind: 'at-the-desk', terminal: holder.terminal, attempt: existingAttempt, timeZone };
  }
  const newestAttempt = counters.find(({ terminal }) => terminal.terminalId === counter.terminal.terminalId)?.sale
    ?.attempt;
  return newestAttempt && isAtTerminal(deps, newestAttempt)
    ? { kind: 'busy', terminal: counter.terminal, attempt: newestAttempt, timeZone }
    : null;
}

/** An invoice that has not been copied from the CRM yet. */
const UNCOPIED_INVOICE = { localStatus: 'none', partBaseCents: null } as const;

async function priceCurrentInvoice(
  deps: Deps,
  merchant: Merchant,
  loaded: MerchantInvoice,
  { amountShown, part }: StartSaleBody,
) {
  const crmInvoice = await callCrm(deps, merchant.accountId, () => readMerchantInvoice(deps, merchant, loaded));
  if (crmInvoice === 'crm-unavailable') return { kind: crmInvoice };
  // The read above has just copied a missing invoice.
  const storedInvoice = loaded.invoice ?? (await loadMerchantInvoice(deps, merchant, loaded.invoiceId))?.invoice;
  return crmInvoice && storedInvoice
    ? priceInvoice(deps, storedInvoice, crmInvoice, { amountShown, part, method: 'card' })
    : { kind: 'not-found' as const };
}

/** Outcomes that prove that the counter terminal was reached. */
const ANSWERED_KINDS: TerminalSaleOutcome['kind'][] = ['approved', 'declined', 'cancelled', 'no-card-in-time', 'busy'];

/**
 * Sends a claimed sale to its counter terminal and writes its outcome. The call may take minutes, and its client may
 * disconnect. The attempt then remains, and a status inquiry looks it up by its order id.
 */
export async function runTerminalSale(deps: Deps, { terminal, sale: { attempt } }: CounterTerminal & { sale: Sale }) {
  const { accountId, terminalId } = terminal;
  deps.log.info('terminal-sale-sent', { attemptId: attempt.id, accountId, terminalId });
  const ref = terminalRef(terminal);
  const outcome = await deps.gateway.startTerminalSale({
    terminal: ref,
    attemptId: attempt.id,
    dedupeKey: attempt.dedupeKey,
    invoiceNumber: attempt.invoiceNumber,
    amountCents: attempt.amountCents,
    customer: { firstName: attempt.payerFirstName, lastName: attempt.payerLastName },
  });
  const settledAttempt = await settleCharge(deps, attempt, outcome);
  if (outcome.kind === 'rejected' && outcome.reason === 'credentials') {
    await recordRefusedCredentials(deps, terminal);
  } else if (terminal.refusedAt !== null && outcome.kind === 'approved') {
    await recordWorkingCredentials(deps, terminal);
  }
  if (settledAttempt?.state === 'approved') await sendMail(deps, receiptMailId(attempt.id));
  if (ANSWERED_KINDS.includes(outcome.kind)) {
    await recordResponse(deps.db, ref, deps.now()).catch((cause: unknown) =>
      deps.log.info('terminal-not-recorded', { accountId, terminalId, cause: causeOf(cause) }),
    );
  }
}
