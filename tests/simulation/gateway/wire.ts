import type { WireAnswer } from '../vendor.ts';
import type { Entry } from './gateway-records.ts';
import type { Batch } from './truth.ts';

/** Members that are null are omitted, as the gateway does (G5). */
export type Wire = { [member: string]: string | boolean | null | Wire | Wire[] };

const JSON_TYPE = { 'content-type': 'application/json;charset=UTF-8' };

export const dollars = (cents: number): string => (cents / 100).toFixed(2);

/** Cents of an amount with two decimals; null for any other text. */
export function centsOf(amount: unknown): number | null {
  if (typeof amount !== 'string' || !/^\d{1,9}\.\d{2}$/.test(amount)) return null;
  return Number(amount.replace('.', ''));
}

/** `2024-04-09 14:53:24.148`: the gateway names no zone. */
export const stamp = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace('Z', '');

function withoutNulls(value: Wire): Wire {
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => {
      if (Array.isArray(member)) return [name, member.map(withoutNulls)];
      return [name, typeof member === 'object' && member !== null ? withoutNulls(member) : member];
    }),
  );
}

export function json(status: number, body: Wire): WireAnswer {
  return { status, headers: JSON_TYPE, body: JSON.stringify(withoutNulls(body)) };
}

export const noContent = (): WireAnswer => ({ status: 204, headers: {}, body: '' });

/** The envelope of G5 around a payload. */
export function success(exchangeId: string, payload: Wire, extra: Wire = {}, status = 200): WireAnswer {
  return json(status, { code: String(status), status: 'success', 'exchange-id': exchangeId, ...extra, payload });
}

type Refusal = { status: number; code: string; message: string };

/** A refusal (G6). A decline has the transaction beside the error, and the error has its own code. */
export function failure(exchangeId: string | null, at: number, refusal: Refusal, transaction?: Wire): WireAnswer {
  const error = {
    'error-message': refusal.message,
    'result-code': transaction ? '073' : refusal.code,
    'time-stamp': stamp(at),
  };
  return json(refusal.status, {
    code: String(refusal.status),
    status: 'fail',
    'exchange-id': exchangeId,
    payload: { payloadType: 'error', transaction: transaction ?? null, error },
  });
}

/** A flag as listed: some answers have JSON booleans, some have words (G9). */
const flag = (value: boolean, flags: 'json' | 'text') => (flags === 'json' ? value : String(value));

/** An entry as answers and lists show it (G9). */
export function transactionWire(entry: Entry, flags: 'json' | 'text'): Wire {
  const isCard = entry.method !== 'ach';
  return {
    id: entry.id,
    type: entry.type,
    amount: dollars(entry.amountCents),
    result: entry.isApproved ? 'APPROVED' : 'DECLINED',
    status: entry.isApproved ? 'Approved' : 'Declined',
    'display-message': entry.message,
    'result-code': entry.resultCode,
    'authorization-code': entry.authorizationCode,
    card: isCard ? `XXXXXXXXXXXX${entry.lastFour}` : null,
    'last-four': entry.lastFour,
    'card-type': isCard ? 'VISA' : null,
    'exp-date': isCard ? '1230' : null,
    'batch-string-id': entry.batchId?.padStart(6, '0') ?? null,
    created: stamp(entry.at),
    'ref-id': entry.parentId,
    invoice: entry.invoice,
    'order-id': entry.orderId,
    billing: entry.billing,
    'merchant-id': entry.merchantId,
    'terminal-id': entry.terminalId,
    voided: flag(entry.isVoided, flags),
    pending: flag(isCard && entry.isApproved && entry.settledAt === null, flags),
    settled: flag(entry.settledAt !== null, flags),
  };
}

/** A bank debit as its look-up shows it (G24). */
export function debitWire(entry: Entry): Wire {
  return {
    id: entry.id,
    type: entry.type,
    amount: dollars(entry.amountCents),
    status: entry.isApproved ? entry.ach : 'Declined',
    'result-code': entry.resultCode,
    'display-message': entry.message,
    'last-four': entry.lastFour,
    'individual-name': entry.holder,
    invoice: entry.invoice,
    'order-id': entry.orderId,
    created: stamp(entry.at),
    'merchant-id': entry.merchantId,
    'terminal-id': entry.terminalId,
    'status-change-date': stamp(entry.changedAt),
    'settled-date': entry.settledAt === null ? null : stamp(entry.settledAt),
    'returned-date': entry.returnedAt === null ? null : stamp(entry.returnedAt),
    'returned-code': entry.returnCode,
    'returned-message': entry.returnCode === null ? null : 'Returned by the bank',
  };
}

/** A transaction looked up by its id: flags are words, the card is its last digits (G9). */
export function detailWire(entry: Entry): Wire {
  return { ...transactionWire(entry, 'text'), card: entry.lastFour };
}

/** A batch as listed: every member is text (G27). */
export function batchWire(batch: Batch, terminalName: string): Wire {
  return {
    id: batch.id,
    status: batch.status,
    'merchant-id': batch.merchantId,
    'terminal-id': batch.terminalId,
    'terminal-name': terminalName,
    'date-opened': stamp(batch.openedAt),
    settled: batch.closedAt === null ? null : stamp(batch.closedAt),
    'sales-count': String(batch.salesCount),
    'sales-total': dollars(batch.salesCents),
    'refund-count': String(batch.refundCount),
    'refund-total': dollars(batch.refundCents),
    'net-amount': dollars(batch.salesCents - batch.refundCents),
    'total-count': String(batch.salesCount + batch.refundCount),
    'confirmation-code': batch.confirmationCode,
  };
}
