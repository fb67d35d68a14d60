import type { TerminalRef } from '../gateway-port.ts';
import { callVendor, parseJson } from '../http.ts';
import { Envelope } from './wire.ts';

export type ClearentOptions = {
  baseUrl: string;
  /** Passed on to the browser; the Worker does not use it. */
  sandbox: boolean;
  timeoutMs: number;
  /** A sale on a terminal waits for a person, so it has a longer timeout. */
  terminalTimeoutMs: number;
  openApiKey(terminal: TerminalRef): Promise<string>;
  sealCardToken(cardId: string, token: string): Promise<string>;
  /** Throws if the token cannot be opened. */
  openCardToken(cardId: string, sealedToken: string): Promise<string>;
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
