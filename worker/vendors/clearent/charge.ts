import { decimalFromCents } from '#shared/money';
import type {
  Billing,
  ChargeOutcome,
  ChargeRequest,
  GatewayTransaction,
  TerminalSaleOutcome,
  TerminalSaleRequest,
} from '../gateway-port.ts';
import { type ClearentCall, doubtAboutRefusal, type Reply, refusedOrUnknown, sealedKeyRejection } from './http.ts';
import { findTransactions } from './look-up.ts';
import { CHARGE_ONCE, descriptionField, SOFTWARE, transactionFrom } from './transaction.ts';

/** Charges a token from the payer's browser. */
export async function charge(call: ClearentCall, request: ChargeRequest): Promise<ChargeOutcome> {
  const isAch = request.method === 'ach';
  const path = isAch ? '/rest/v2/ach/mobile/transactions/debit' : '/rest/v2/mobile/transactions/sale';
  const reply = await call(request.terminal, path, {
    method: 'POST',
    headers: { [isAch ? 'achmobilejwt' : 'mobilejwt']: request.token },
    body: bodyOf(request),
  });
  if (reply.kind === 'sealed') return sealedKeyRejection;
  if (reply.kind === 'lost') return { kind: 'unknown', cause: reply.cause, exchangeId: '' };
  return outcomeOf(reply, request);
}

function bodyOf(request: ChargeRequest) {
  const { billing } = request;
  return {
    type: request.method === 'ach' ? 'DEBIT' : 'SALE',
    amount: decimalFromCents(request.amountCents),
    invoice: request.dedupeKey,
    'order-id': request.attemptId,
    ...descriptionField(request.invoiceNumber),
    ...CHARGE_ONCE,
    // We email our own receipt.
    'email-receipt': 'false',
    ...(request.clientIp ? { 'client-ip': request.clientIp } : {}),
    ...(request.method === 'ach' ? bankFields(request) : {}),
    billing: {
      'first-name': billing.firstName,
      'last-name': billing.lastName,
      ...addressOf(billing),
    },
    ...SOFTWARE,
  };
}

/** Empty without a street, because blank fields would contradict the address in a wallet's token. */
const addressOf = ({ address, address2, city, state, zip }: Billing) =>
  address === '' ? {} : { street: address, street2: address2, city, state, zip };

const bankFields = ({ billing, accountType }: ChargeRequest) => ({
  'individual-name': `${billing.firstName} ${billing.lastName}`,
  // The payer authorized the debit on a website, so the entry class must be WEB.
  'standard-entry-class-code': 'WEB',
  ...(accountType ? { 'account-type': accountType } : {}),
});

/** Branches on the fields present, because the payload type differs between the gateway's formats. */
function outcomeOf(reply: Reply & { kind: 'answer' }, request: ChargeRequest): ChargeOutcome {
  const { status, envelope, exchangeId, detail } = reply;
  const { transaction } = envelope.payload;
  const unknownOutcome = (cause: string): ChargeOutcome => ({ kind: 'unknown', cause, exchangeId });
  if (status === 200) {
    if (!transaction?.id) return unknownOutcome('200 without a transaction');
    const txn = transactionFrom(transaction, request.method);
    if (txn.attemptId !== request.attemptId) return unknownOutcome('the answer is about another attempt');
    if (txn.amountCents !== request.amountCents) return unknownOutcome('the answer names another amount');
    if (txn.state === 'approved' || txn.state === 'pending') return { kind: txn.state, txn, exchangeId };
    return unknownOutcome(`200 with result ${txn.result}`);
  }
  const doubt = doubtAboutRefusal({ status, envelope, method: request.method });
  if (doubt !== null) return unknownOutcome(doubt);
  if (status === 402) {
    const txn = transaction ? transactionFrom(transaction, request.method) : null;
    return { kind: 'declined', message: detail.message, providerCode: detail.code, txn, exchangeId };
  }
  const outcome = refusedOrUnknown(reply);
  const isTokenRefused =
    outcome.kind === 'rejected' && status === 400 && /jwt|token/i.test(`${detail.message} ${detail.code}`);
  return isTokenRefused ? { ...outcome, reason: 'token' } : outcome;
}

/**
 * Make one call that waits until the terminal has finished. The gateway offers no calls to cancel or to get progress.
 */
export async function startTerminalSale(
  call: ClearentCall,
  request: TerminalSaleRequest,
  timeoutMs: number,
): Promise<TerminalSaleOutcome> {
  const reply = await call(request.terminal, '/rest/v2/terminal/transactions/sale', {
    method: 'POST',
    timeoutMs,
    body: {
      type: 'SALE',
      amount: decimalFromCents(request.amountCents),
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
  if (reply.status === 200) return confirmSale(call, reply, request);
  const cause = doubtAboutRefusal(reply);
  if (cause !== null) return { kind: 'unknown', cause, exchangeId: reply.exchangeId };
  if (reply.status === 402) return unpaidOutcome(reply);
  return unreachedOutcome(reply) ?? refusedOrUnknown(reply);
}

/** A terminal's reply may contain only an id. The rest is then read from the gateway's record. */
async function confirmSale(
  call: ClearentCall,
  { envelope, exchangeId }: Reply & { kind: 'answer' },
  request: TerminalSaleRequest,
): Promise<TerminalSaleOutcome> {
  const unknownOutcome = (cause: string): TerminalSaleOutcome => ({ kind: 'unknown', cause, exchangeId });
  const record = envelope.payload.transaction;
  if (!record?.id) return unknownOutcome('200 without a transaction');
  const isComplete =
    record.amount !== '' && record['order-id'] !== '' && record.result !== '' && record['card-type'] !== '';
  const txn = isComplete ? transactionFrom(record, 'card') : await readTransaction(call, request, record.id);
  if (!txn) return unknownOutcome('approved, but not found on record');
  if (txn.attemptId !== request.attemptId) return unknownOutcome('the answer is about another attempt');
  if (txn.amountCents !== request.amountCents) return unknownOutcome('the answer names another amount');
  return txn.state === 'approved'
    ? { kind: 'approved', txn, exchangeId }
    : unknownOutcome(`200 with result ${txn.result}`);
}

async function readTransaction(
  call: ClearentCall,
  { terminal }: TerminalSaleRequest,
  providerTxnId: string,
): Promise<GatewayTransaction | undefined> {
  const matches = await findTransactions(call, terminal, 'card', { providerTxnId });
  return matches === 'unavailable' ? undefined : matches.find(({ id }) => id === providerTxnId);
}

/** The messages for a cancellation and a timeout are not documented. Any other message is a decline. */
function unpaidOutcome({ envelope, exchangeId, detail }: Reply & { kind: 'answer' }): TerminalSaleOutcome {
  const outcome = { message: detail.message, providerCode: detail.code, exchangeId };
  const { transaction } = envelope.payload;
  if (!transaction?.id) {
    if (/cancel|abort/i.test(detail.message)) return { kind: 'cancelled', ...outcome };
    if (/timed?[ -]?out/i.test(detail.message)) return { kind: 'no-card-in-time', ...outcome };
  }
  return { kind: 'declined', ...outcome, txn: transaction ? transactionFrom(transaction, 'card') : null };
}

function unreachedOutcome({ status, envelope, detail }: Reply & { kind: 'answer' }): TerminalSaleOutcome | null {
  if (status !== 400 || envelope.payload.error?.['result-code'] !== '001') return null;
  const kind = /busy|in use|in progress/i.test(detail.message) ? 'busy' : 'offline';
  return { kind, message: detail.message, providerCode: detail.code };
}
