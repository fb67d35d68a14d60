import type { PaymentMethod } from '#shared/contracts/payment';
import { parseCents } from '#shared/money';
import type { GatewayTransaction } from '../gateway-port.ts';
import { UNREADABLE_FEE } from '../gateway-port.ts';
import type { WireTransaction } from './wire.ts';

export const SOFTWARE = { 'software-type': 'Tillway', 'software-type-version': '1.0' };

/** Makes the gateway return the original transaction if this invoice and amount were already paid on any terminal. */
export const CHARGE_ONCE = { 'check-field': 'invoice', 'check-field-mid': true };

/** The invoice number, shown on the provider's pages. */
export const descriptionField = (invoiceNumber: string | undefined) =>
  invoiceNumber ? { description: [...invoiceNumber].slice(0, 100).join('') } : {};

/** Parses "2024-04-09 14:53:24.148" to ms. The gateway sends no time zone; UTC is assumed only here. */
export function instantOf(text: string): number | null {
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`;
  const ms = Date.parse(zoned.trim().replace(' ', 'T'));
  return Number.isFinite(ms) ? ms : null;
}

/** Formats a time (UTC ms) for a search, to the minute. */
export const minuteOf = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/** Strips leading zeros, because only some responses pad batch ids. */
export const batchIdOf = (text: string) => text.replace(/^0+(?=.)/, '');

function feeOf(reportedFee: string): number | null {
  if (reportedFee.trim() === '') return null;
  const cents = parseCents(reportedFee);
  return cents === null || cents < 0 ? UNREADABLE_FEE : cents;
}

export function transactionFrom(txn: WireTransaction, method: PaymentMethod): GatewayTransaction {
  const state = stateOf(txn, method);
  const isReturned = state === 'returned';
  const [first = '', ...rest] = txn['individual-name'].split(' ');
  const { billing } = txn;
  const hasBillingName = billing['first-name'] !== '' || billing['last-name'] !== '';
  return {
    id: txn.id,
    attemptId: txn['order-id'],
    dedupeKey: txn.invoice,
    kind: txn.type,
    state,
    isVoided: txn.voided,
    amountCents: parseCents(txn.amount),
    authCode: txn['authorization-code'],
    brand: txn['card-type'],
    lastFour: txn['last-four'] || (txn.card || txn['account-number']).slice(-4),
    maskedCard: txn.card,
    result: txn.result || txn.status.toUpperCase(),
    message: (isReturned && txn['returned-message']) || txn['display-message'],
    providerCode: (isReturned && txn['returned-code']) || txn['result-code'],
    avsResult: txn['avs-result-code'],
    cscResult: txn['csc-result-code'],
    feeCents: feeOf(txn['service-fee']),
    terminalId: txn['terminal-id'],
    batchId: batchIdOf(txn['batch-string-id']),
    parentId: txn['ref-id'],
    name: hasBillingName
      ? { first: billing['first-name'], last: billing['last-name'] }
      : { first, last: rest.join(' ') },
    createdAt: instantOf(txn.created),
    changedAt: instantOf(txn['status-change-date']),
  };
}

/**
 * Statuses of a bank debit, letters only. The vendor documents the first of each state; the others are common among
 * gateways and included so that staff need not resolve a clear failure. Any other status maps to `other`.
 */
const DEBIT_STATUSES: [GatewayTransaction['state'], Set<string>][] = [
  ['approved', new Set(['SETTLED'])],
  ['returned', new Set(['RETURNED', 'RETURN', 'CHARGEBACK', 'CHARGEDBACK', 'REVERSED'])],
  ['pending', new Set(['PENDING', 'SETTLING', 'APPROVED'])],
  [
    'declined',
    new Set(['DECLINED', 'REJECTED', 'CANCELLED', 'CANCELED', 'VOIDED', 'VOID', 'FAILED', 'EXPIRED', 'BLOCKED']),
  ],
];

function stateOfDebit(status: string): GatewayTransaction['state'] {
  const letters = status.toUpperCase().replace(/[^A-Z]/g, '');
  return DEBIT_STATUSES.find(([, statuses]) => statuses.has(letters))?.[0] ?? 'other';
}

function stateOf(txn: WireTransaction, method: PaymentMethod): GatewayTransaction['state'] {
  const result = (txn.result || txn.status).toUpperCase();
  if (method === 'ach') return stateOfDebit(txn.status || txn.result);
  if (result === 'APPROVED') return 'approved';
  return result === 'DECLINED' ? 'declined' : 'other';
}
