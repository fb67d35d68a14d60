import { parseJson } from '#worker/vendors/http';
import type { Vendor } from '../going-live/check-road.ts';

const WAIT_MS = 30_000;
export type Reply = { status: number; text: string; json: unknown; headers: Headers };
export type Call = { line: string; status: number };
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The vendor in its test account: what it takes to ask, and a note of each call without a secret. */
export type Talk = {
  ask(
    method: string,
    path: string,
    options?: {
      body?: unknown;
      form?: Record<string, string>;
      headers?: Record<string, string>;
      /** Another host of the vendor; the place's own headers, which hold a key, do not go there. */
      host?: string;
    },
  ): Promise<Reply>;
  /** A value that the person gave, such as the number of a test invoice. Throws where it is missing. */
  given(name: string): string;
  pause(ms: number): Promise<void>;
  now(): number;
  calls: Call[];
};

export type Place = {
  base: string;
  headers: Record<string, string>;
  given: Record<string, string | undefined>;
  fetch?: Fetch;
  pause?: (ms: number) => Promise<void>;
};

export function talkTo({ base, headers, given, fetch: send = fetch, pause = sleep }: Place): Talk {
  const calls: Call[] = [];
  return {
    calls,
    pause,
    now: Date.now,
    given(name) {
      const value = given[name];
      if (!value) throw new Error(`set ${name}`);
      return value;
    },
    async ask(method, path, { body, form, headers: more, host } = {}) {
      const sent = form ? new URLSearchParams(form) : body === undefined ? null : JSON.stringify(body);
      const init: RequestInit = {
        method,
        headers: {
          ...(typeof sent === 'string' && { 'content-type': 'application/json' }),
          ...(host === undefined ? headers : {}),
          ...more,
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(WAIT_MS),
        body: sent,
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

/** Addresses of test accounts hold their numbers, which are nobody's business. */
const withoutIds = (path: string): string =>
  path.replace(/(?<=[/=])[\w-]*\d{4,}[\w-]*(?=[/?&]|$)(?<!\d{4}-\d{2})/g, '…');
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A member of an answer by its path, as text; empty where it is not there. */
export function at(json: unknown, ...path: (string | number)[]): string {
  const found = path.reduce<unknown>((value, key) => (Object(value) as Record<string | number, unknown>)[key], json);
  return found === undefined || found === null ? '' : typeof found === 'object' ? JSON.stringify(found) : String(found);
}

/** Where a vendor is asked, and with which key of its test account. Throws an Error that names a missing one. */
export function placeOf(vendor: Vendor, given: Place['given']): Place {
  const need = (name: string): string => {
    const value = given[name];
    if (!value) throw new Error(`set ${name}: docs/probes/README.md says where it comes from`);
    return value;
  };
  const base = (name: string) => need(name).replace(/\/+$/, '');
  const bearer = (name: string) => ({ authorization: `Bearer ${need(name)}` });
  switch (vendor) {
    case 'hubspot':
      return { base: base('HUBSPOT_API_BASE'), headers: bearer('PROBE_HUBSPOT_TOKEN'), given };
    case 'gateway':
      return { base: base('GATEWAY_BASE_URL'), headers: { 'api-key': need('PROBE_GATEWAY_KEY') }, given };
    case 'mail':
      return { base: base('MAIL_API_BASE'), headers: bearer('MAIL_API_KEY'), given };
    case 'cloudflare':
      // A migration is tried without an installation; what asks one names APP_URL where it is missing.
      return { base: (given.APP_URL ?? '').replace(/\/+$/, ''), headers: {}, given };
  }
}
