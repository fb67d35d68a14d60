import type { PaymentMethod } from '#shared/contracts/payment';
import { decimalFromCents, parseCents } from '#shared/money';
import type { ChargeOutcome, ChargeRequest, Gateway, GatewayTransaction, TerminalRef } from '../../ports.ts';
import { callVendor, type HttpReply, parseJson } from '../http.ts';
import { Envelope, transactionsOf, type WireTransaction } from './wire.ts';

const SOFTWARE = { 'software-type': 'Tillway', 'software-type-version': '1.0' };

/** "Duplicate transaction": something was found, so it must be looked up and is never a decline. */
const DUPLICATE_CODES = new Set(['032', '045', '059']);

export type ClearentOptions = {
  baseUrl: string;
  /** Passed on to the browser; nothing here depends on it. */
  sandbox: boolean;
  timeoutMs: number;
  openApiKey(terminal: TerminalRef): Promise<string>;
};

export function createClearent({ baseUrl, sandbox, timeoutMs, openApiKey }: ClearentOptions): Gateway {
  const headersFor = async (terminal: TerminalRef) => ({
    accept: 'application/json',
    'content-type': 'application/json',
    'api-key': await openApiKey(terminal),
  });

  return {
    displayName: 'Clearent',
    browser: {
      scriptUrl: `${baseUrl}/js-sdk/js/clearent-host.js`,
      baseUrl,
      origin: new URL(baseUrl).origin,
      sandbox,
    },

    async charge(request): Promise<ChargeOutcome> {
      const path =
        request.method === 'ach' ? '/rest/v2/ach/mobile/transactions/debit' : '/rest/v2/mobile/transactions/sale';
      const tokenHeader = request.method === 'ach' ? 'achmobilejwt' : 'mobilejwt';
      let headers: Awaited<ReturnType<typeof headersFor>>;
      try {
        headers = await headersFor(request.terminal);
      } catch {
        // A key that cannot be opened: certain that nothing was sent.
        return { kind: 'rejected', reason: 'credentials', message: 'the key is sealed', providerCode: '' };
      }
      let reply: HttpReply;
      try {
        reply = await callVendor(
          `${baseUrl}${path}`,
          {
            method: 'POST',
            headers: { ...headers, [tokenHeader]: request.token },
            body: JSON.stringify(saleBody(request)),
          },
          timeoutMs,
        );
      } catch (cause) {
        return { kind: 'unknown', cause: String(cause), exchangeId: '' };
      }
      return outcomeOf(reply, request);
    },

    async find(terminal, method, by) {
      const query = new URLSearchParams({ level: 'merchant', page: '1', 'page-size': '100', pageSize: '100' });
      if ('attemptId' in by) query.set('order-id', by.attemptId);
      else query.set('invoice', by.dedupeKey);
      const path = method === 'ach' ? '/rest/v2/ach/transactions' : '/rest/v2/transactions';
      try {
        const reply = await callVendor(
          `${baseUrl}${path}?${query}`,
          { headers: await headersFor(terminal) },
          timeoutMs,
        );
        if (reply.status === 204) return [];
        const envelope = Envelope.safeParse(parseJson(reply.text));
        if (reply.status !== 200 || !envelope.success) return 'unavailable';
        return transactionsOf(envelope.data).map((txn) => transactionFrom(txn, method));
      } catch {
        return 'unavailable';
      }
    },
  };
}

function saleBody(request: ChargeRequest) {
  const { billing } = request;
  return {
    type: request.method === 'ach' ? 'DEBIT' : 'SALE',
    amount: decimalFromCents(request.amountCents),
    invoice: request.dedupeKey,
    'order-id': request.attemptId,
    // The gateway answers with the original when this invoice value and amount were paid on any of the terminals.
    'check-field': 'invoice',
    'check-field-mid': true,
    // We mail our own receipt.
    'email-receipt': 'false',
    ...(request.clientIp ? { 'client-ip': request.clientIp } : {}),
    ...(request.method === 'ach' ? { 'individual-name': `${billing.firstName} ${billing.lastName}` } : {}),
    billing: {
      'first-name': billing.firstName,
      'last-name': billing.lastName,
      street: billing.address,
      street2: billing.address2,
      city: billing.city,
      state: billing.state,
      zip: billing.zip,
    },
    ...SOFTWARE,
  };
}

/** Branch on the members that are present: the payload's own type word differs between the gateway's formats. */
function outcomeOf(reply: HttpReply, request: ChargeRequest): ChargeOutcome {
  const parsed = Envelope.safeParse(parseJson(reply.text));
  if (!parsed.success) return { kind: 'unknown', cause: `HTTP ${reply.status}, unreadable`, exchangeId: '' };
  const envelope = parsed.data;
  const exchangeId = envelope['exchange-id'];
  const { transaction, error } = envelope.payload;
  const unknown = (cause: string): ChargeOutcome => ({ kind: 'unknown', cause, exchangeId });

  if (reply.status === 200) {
    if (!transaction?.id) return unknown('200 without a transaction');
    const txn = transactionFrom(transaction, request.method);
    if (txn.attemptId !== request.attemptId) return unknown('the answer is about another attempt');
    if (txn.amountCents !== request.amountCents) return unknown('the answer names another amount');
    if (txn.state === 'approved' || txn.state === 'pending') return { kind: txn.state, txn, exchangeId };
    return unknown(`200 with result ${txn.result}`);
  }
  const providerCode = error?.['result-code'] || transaction?.['result-code'] || '';
  const message = error?.['error-message'] || transaction?.['display-message'] || '';
  if (reply.status === 402) {
    if (DUPLICATE_CODES.has(providerCode) || DUPLICATE_CODES.has(transaction?.['result-code'] ?? '')) {
      return unknown('the gateway sees a duplicate');
    }
    const txn = transaction ? transactionFrom(transaction, request.method) : null;
    return { kind: 'declined', message, providerCode, txn, exchangeId };
  }
  if (!error) return unknown(`HTTP ${reply.status} without a reason`);
  if (reply.status === 401 || reply.status === 403) {
    return { kind: 'rejected', reason: 'credentials', message, providerCode };
  }
  if (reply.status === 400) {
    const reason = /jwt|token/i.test(`${message} ${providerCode}`) ? 'token' : 'validation';
    return { kind: 'rejected', reason, message, providerCode };
  }
  return unknown(`HTTP ${reply.status}`);
}

function transactionFrom(txn: WireTransaction, method: PaymentMethod): GatewayTransaction {
  return {
    id: txn.id,
    attemptId: txn['order-id'],
    dedupeKey: txn.invoice,
    kind: txn.type,
    state: stateOf(txn, method),
    amountCents: parseCents(txn.amount),
    authCode: txn['authorization-code'],
    brand: txn['card-type'],
    lastFour: txn['last-four'] || txn.card.slice(-4),
    maskedCard: txn.card,
    result: txn.result || txn.status.toUpperCase(),
    message: txn['display-message'],
    providerCode: txn['result-code'],
    feeCents: parseCents(txn['service-fee']),
  };
}

function stateOf(txn: WireTransaction, method: PaymentMethod): GatewayTransaction['state'] {
  const word = (txn.result || txn.status).toUpperCase();
  if (method === 'ach') {
    const status = (txn.status || txn.result).toUpperCase();
    if (status === 'SETTLED') return 'approved';
    if (status === 'RETURNED') return 'returned';
    if (status === 'PENDING' || status === 'SETTLING' || status === 'APPROVED') return 'pending';
    return status === 'DECLINED' ? 'declined' : 'other';
  }
  if (word === 'APPROVED') return 'approved';
  return word === 'DECLINED' ? 'declined' : 'other';
}
