import { parseJson } from '#worker/vendors/http';
import type { Vendor } from '../going-live/check-go-live.ts';

const WAIT_MS = 30_000;
export type Reply = { status: number; text: string; json: unknown; headers: Headers };
export type Call = { line: string; status: number };
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A client for a vendor's test account, with a log of each call without secrets. */
export type Talk = {
  ask(
    method: string,
    path: string,
    options?: {
      body?: unknown;
      form?: Record<string, string>;
      headers?: Record<string, string>;
      /** Another host of the vendor. It does not receive the headers of `Place`, which contain a key. */
      host?: string;
    },
  ): Promise<Reply>;
  /** A value from the user, such as the id of a test invoice. Throws an Error if it is missing. */
  input(name: string): string;
  pause(ms: number): Promise<void>;
  now(): number;
  calls: Call[];
};

export type Place = {
  base: string;
  headers: Record<string, string>;
  input: Record<string, string | undefined>;
  fetch?: Fetch;
  pause?: (ms: number) => Promise<void>;
};

export function talkTo({ base, headers, input, fetch: send = fetch, pause = sleep }: Place): Talk {
  const calls: Call[] = [];
  return {
    calls,
    pause,
    now: Date.now,
    input(name) {
      const value = input[name];
      if (!value) throw new Error(`set ${name}`);
      return value;
    },
    async ask(method, path, { body, form, headers: extraHeaders, host } = {}) {
      const payload = form ? new URLSearchParams(form) : body === undefined ? null : JSON.stringify(body);
      const init: RequestInit = {
        method,
        headers: {
          ...(typeof payload === 'string' && { 'content-type': 'application/json' }),
          ...(host === undefined ? headers : {}),
          ...extraHeaders,
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(WAIT_MS),
        body: payload,
      };
      const at = host ?? base;
      const response = await send(at + path, init).catch((cause: Error) => {
        throw new Error(`${at} ${cause.name === 'TimeoutError' ? 'did not answer in time' : 'does not answer'}`, {
          cause,
        });
      });
      const text = await response.text();
      calls.push({ line: `${method} ${withoutIds(path)}`, status: response.status });
      return { status: response.status, text, json: parseJson(text), headers: response.headers };
    },
  };
}

/** Masks ids in paths, because they may identify a test account. */
const withoutIds = (path: string): string =>
  path.replace(/(?<=[/=])[\w-]*\d{4,}[\w-]*(?=[/?&]|$)(?<!\d{4}-\d{2})/g, '…');
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A member of a response by its path, as text; empty if missing. */
export function at(json: unknown, ...path: (string | number)[]): string {
  const leaf = path.reduce<unknown>((value, key) => (Object(value) as Record<string | number, unknown>)[key], json);
  return leaf === undefined || leaf === null ? '' : typeof leaf === 'object' ? JSON.stringify(leaf) : String(leaf);
}

/** The address of a vendor and the key of its test account. Throws an Error that names a missing value. */
export function placeOf(vendor: Vendor, input: Place['input']): Place {
  const need = (name: string): string => {
    const value = input[name];
    if (!value) throw new Error(`set ${name}: docs/probes/README.md says where it comes from`);
    return value;
  };
  const base = (name: string) => need(name).replace(/\/+$/, '');
  const bearer = (name: string) => ({ authorization: `Bearer ${need(name)}` });
  switch (vendor) {
    case 'hubspot':
      return { base: base('HUBSPOT_API_BASE'), headers: bearer('PROBE_HUBSPOT_TOKEN'), input };
    case 'gateway':
      return { base: base('GATEWAY_BASE_URL'), headers: { 'api-key': need('PROBE_GATEWAY_KEY') }, input };
    case 'mail':
      return { base: base('MAIL_API_BASE'), headers: bearer('MAIL_API_KEY'), input };
    case 'cloudflare':
      // Trying migrations needs no installation; questions that call one report a missing APP_URL.
      return { base: (input.APP_URL ?? '').replace(/\/+$/, ''), headers: {}, input };
  }
}
