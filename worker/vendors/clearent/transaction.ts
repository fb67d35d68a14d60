import type { PaymentMethod } from '#shared/contracts/payment';
import { parseCents } from '#shared/money';
import type { GatewayTransaction } from '../gateway-port.ts';
import type { WireTransaction } from './wire.ts';

export const SOFTWARE = { 'software-type': 'Tillway', 'software-type-version': '1.0' };

/** Makes the gateway return the original when this invoice value and amount were paid on any of the terminals. */
export const CHARGE_ONCE = { 'check-field': 'invoice', 'check-field-mid': true };

/** The invoice's number, for people who look at the provider's pages. */
export const describedAs = (invoiceNumber: string | undefined) =>
  invoiceNumber ? { description: invoiceNumber.slice(0, 100) } : {};

/** "2024-04-09 14:53:24.148": the gateway gives no zone, so we read it as UTC, here and nowhere else. */
export function instantOf(text: string): number | null {
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`;
  const at = Date.parse(zoned.trim().replace(' ', 'T'));
  return Number.isFinite(at) ? at : null;
}

/** A time in the format of a search, to the minute. */
export const minuteOf = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

/** Only some answers pad batch ids with zeros. */
export const batchIdOf = (text: string) => text.replace(/^0+(?=.)/, '');

export function transactionFrom(txn: WireTransaction, method: PaymentMethod): GatewayTransaction {
  const state = stateOf(txn, method);
  const isReturned = state === 'returned';
  const [first = '', ...rest] = txn['individual-name'].split(' ');
  const { billing } = txn;
  const isNamed = billing['first-name'] !== '' || billing['last-name'] !== '';
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
    feeCents: parseCents(txn['service-fee']),
    terminalId: txn['terminal-id'],
    batchId: batchIdOf(txn['batch-string-id']),
    parentId: txn['ref-id'],
    name: isNamed ? { first: billing['first-name'], last: billing['last-name'] } : { first, last: rest.join(' ') },
    createdAt: instantOf(txn.created),
    changedAt: instantOf(txn['status-change-date']),
  };
}

/**
 * Words for a bank debit, by their letters alone. The vendor documents the first of each kind; the others are usual among
 * gateways, and a word that means only "no money" is not left to a person. Any other word stays `other`.
 */
const DEBIT_WORDS: [GatewayTransaction['state'], Set<string>][] = [
  ['approved', new Set(['SETTLED'])],
  ['returned', new Set(['RETURNED', 'RETURN', 'CHARGEBACK', 'CHARGEDBACK', 'REVERSED'])],
  ['pending', new Set(['PENDING', 'SETTLING', 'APPROVED'])],
  [
    'declined',
    new Set(['DECLINED', 'REJECTED', 'CANCELLED', 'CANCELED', 'VOIDED', 'VOID', 'FAILED', 'EXPIRED', 'BLOCKED']),
  ],
];

function stateOfDebit(word: string): GatewayTransaction['state'] {
  const letters = word.toUpperCase().replace(/[^A-Z]/g, '');
  return DEBIT_WORDS.find(([, words]) => words.has(letters))?.[0] ?? 'other';
}

function stateOf(txn: WireTransaction, method: PaymentMethod): GatewayTransaction['state'] {
  const word = (txn.result || txn.status).toUpperCase();
  if (method === 'ach') return stateOfDebit(txn.status || txn.result);
  if (word === 'APPROVED') return 'approved';
  return word === 'DECLINED' ? 'declined' : 'other';
}
