import type { PaymentMethod } from '#shared/contracts/payment';
import type { TerminalRef } from '../gateway-port.ts';
import { callVendor, parseJson } from '../http.ts';
import { transactionFrom } from './transaction.ts';
import { Envelope, type WireTransaction } from './wire.ts';

export type ClearentOptions = {
  baseUrl: string;
  /** Passed on to the browser; the Worker does not use it. */
  sandbox: boolean;
  timeoutMs: number;
  /** A sale on a terminal waits for a person, so it has a longer timeout. */
  terminalTimeoutMs: number;
  openApiKey(terminal: TerminalRef): Promise<string>;
};

export type CallOptions = {
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  body?: unknown;
  timeoutMs?: number;
};

export type Reply =
  /** A reply in the gateway's envelope, which is empty for status 204. */
  | {
      kind: 'answer';
      status: number;
      envelope: Envelope;
      exchangeId: string;
      detail: { message: string; code: string };
    }
  /** The key cannot be decrypted, so nothing was sent. */
  | { kind: 'sealed' }
  /** No reply, or an unreadable one, so the outcome is unknown. */
  | { kind: 'lost'; cause: string };

export type ClearentCall = (terminal: TerminalRef, path: string, call?: CallOptions) => Promise<Reply>;

/**
 * Codes for a duplicate: the gateway has found an earlier transaction. Look it up, and never treat this as a decline.
 */
const DUPLICATE_CODES = new Set(['032', '045', '059']);

const APPROVED_CODE = '000';

/**
 * True if the transaction itself shows that money moved or is about to. Its result outranks the HTTP status, so a
 * contradictory response is not treated as a refusal.
 */
export function indicatesMoneyMoved(txn: WireTransaction, method: PaymentMethod): boolean {
  const { state, isVoided } = transactionFrom(txn, method);
  const isBare = txn.result === '' && txn.status === '';
  return (
    isVoided || ['approved', 'pending', 'returned'].includes(state) || (isBare && txn['result-code'] === APPROVED_CODE)
  );
}

type RefusalReply = Pick<Reply & { kind: 'answer' }, 'status' | 'envelope'> & {
  method?: PaymentMethod;
  /** True if the transaction in a refusal contradicts it; by default, if the transaction shows that money moved. */
  contradicts?: (txn: WireTransaction) => boolean;
};

/** The reason why a non-200 response is not certainly a refusal; null if it is one. For calls that move money. */
export function doubtAboutRefusal({ status, envelope, method = 'card', contradicts }: RefusalReply): string | null {
  const { error, transaction } = envelope.payload;
  const isContradicted = contradicts ?? ((txn) => indicatesMoneyMoved(txn, method));
  if (transaction && isContradicted(transaction)) {
    const result = transaction.result || transaction.status || transaction['result-code'];
    return `HTTP ${status} with result ${result}`;
  }
  if (status !== 402) return error ? null : `HTTP ${status} without a reason`;
  if (!error && !transaction) return 'HTTP 402 without a reason';
  const codes = [error?.['result-code'] ?? '', transaction?.['result-code'] ?? ''];
  return codes.some((code) => DUPLICATE_CODES.has(code)) ? 'the gateway sees a duplicate' : null;
}

/** Calls the gateway for one terminal. Never throws. */
export function createCalls({ baseUrl, timeoutMs, openApiKey }: ClearentOptions): ClearentCall {
  return async (terminal, path, call = {}) => {
    let apiKey: string;
    try {
      apiKey = await openApiKey(terminal);
    } catch {
      return { kind: 'sealed' };
    }
    const init: RequestInit = {
      method: call.method ?? 'GET',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'api-key': apiKey, ...call.headers },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    };
    try {
      const { status, text } = await callVendor(`${baseUrl}${path}`, init, call.timeoutMs ?? timeoutMs);
      const parsed = Envelope.safeParse(status === 204 ? {} : parseJson(text));
      if (!parsed.success) return { kind: 'lost', cause: `HTTP ${status}, unreadable` };
      const envelope = parsed.data;
      const { error, transaction } = envelope.payload;
      const detail = {
        message: error?.['error-message'] || transaction?.['display-message'] || '',
        code: error?.['result-code'] || transaction?.['result-code'] || '',
      };
      return { kind: 'answer', status, envelope, exchangeId: envelope['exchange-id'], detail };
    } catch (cause) {
      return { kind: 'lost', cause: String(cause) };
    }
  };
}

export const sealedKeyRejection = {
  kind: 'rejected',
  reason: 'credentials',
  message: 'the key is sealed',
  providerCode: '',
} as const;

/**
 * Maps a response that is neither a success nor a decline to `rejected` if nothing was attempted, or else to `unknown`.
 * For calls that move money. The caller must check `doubtAboutRefusal` first.
 */
export function refusedOrUnknown({ status, exchangeId, detail }: Reply & { kind: 'answer' }) {
  const unknownOutcome = (cause: string) => ({ kind: 'unknown', cause, exchangeId }) as const;
  const refusal = { kind: 'rejected', message: detail.message, providerCode: detail.code } as const;
  if (status === 401 || status === 403) return { ...refusal, reason: 'credentials' } as const;
  if (status === 400) return { ...refusal, reason: 'validation' } as const;
  return unknownOutcome(`HTTP ${status}`);
}
