import type { HttpBindings } from '@hono/node-server';
import { createFaults, type Faults } from './faults.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import { openStore, type Store } from './store.ts';

export type Settings = {
  /** Payments that `check-field` considers: all at commit time, those complete when the request arrived, or none. */
  dedupe: 'commit' | 'arrival' | 'none';
  /** True: a token refresh issues a new refresh token and revokes the old one. */
  rotate_refresh: boolean;
  /** True: the CRM's rate limits are enforced; their headers are always sent. */
  limits: boolean;
  /** True: a sale on a counter terminal is approved without a tap. */
  auto_tap: boolean;
  /** Time (ms) that a counter terminal waits for a card; the vendor does not document it. */
  terminal_timeout_ms: number;
  /** Fields of a terminal's response: only those that the vendor guarantees, or all fields of a sale. */
  terminal_replies: 'bare' | 'full';
  /** Name of the member for a bank debit in responses; the vendor's documents show both. */
  ach_replies: 'transaction' | 'ach-transaction';
  /** Response of the newest introspection: all fields of the older versions, or only `active`. */
  introspection: 'full' | 'bare';
  /** The outcome of closing a batch: closed at once, closed after a while, or refused by the processor. */
  batch_close: 'closed' | 'pending' | 'failed';
  /** True: the webhook about a transaction completes before the call that created the transaction. */
  webhooks_first: boolean;
  /** How `getPaymentToken()` reacts to an invalid field of the card frame; the vendor does not document it. */
  invalid_fields: 'reject' | 'pending';
  /** The scopes that a consent grants, regardless of the request; null grants the requested ones. */
  granted_scopes: string[] | null;
  /** Users that may grant consent: all of an account, or only its installer, the first of its users. [guessed] */
  consent: 'anyone' | 'installer-only';
  /**
   * Payment records: 'on' accepts them and changes the balance, 'off' refuses them, 'record-only' leaves the balance
   * unchanged, 'no-parts' accepts partial amounts only if the invoice allows them. Null: 'on' for hub 2, else 'off'.
   */
  payments: 'on' | 'off' | 'record-only' | 'no-parts' | null;
  /** Time (ms) until responses contain the links of a new payment record. */
  association_lag_ms: number;
  /** The optional scopes that this account may grant; null: all that the app declares. */
  optional_scopes: string[] | null;
  /** Text appended to the browser script, to simulate a new version from the provider. */
  script_suffix: string;
  /** Pause (ms) between two events about an email. */
  mail_delay_ms: number;
  /** Targets of webhooks; null: the product's own address (see `webhookUrl`). */
  webhook_urls: Record<WebhookKind, string | null>;
};

export type WebhookKind = 'boarding' | 'transactions' | 'mail';

/** Settings that one account can override. */
export type AccountSettings = Omit<Settings, 'webhook_urls' | 'invalid_fields' | 'script_suffix' | 'mail_delay_ms'>;

export const defaultSettings: Settings = {
  dedupe: 'commit',
  rotate_refresh: false,
  limits: false,
  auto_tap: false,
  terminal_timeout_ms: 120_000,
  terminal_replies: 'bare',
  ach_replies: 'transaction',
  introspection: 'full',
  batch_close: 'closed',
  webhooks_first: false,
  invalid_fields: 'reject',
  granted_scopes: null,
  consent: 'anyone',
  payments: null,
  association_lag_ms: 0,
  optional_scopes: null,
  script_suffix: '',
  webhook_urls: { boarding: null, transactions: null, mail: null },
  mail_delay_ms: 300,
};

export type World = {
  store: Store;
  faults: Faults;
  requests: RequestLog;
  /** This sandbox's own address, without a trailing slash. */
  publicUrl: string;
  productUrl: string;
  /** The sandbox's clock, milliseconds; `addSeconds` moves it permanently. */
  now(): number;
  addSeconds(seconds: number): void;
  /** The common settings with the account's overrides. */
  settings(account?: number | null): Settings;
  changeSettings(change: Partial<Settings>): Settings;
  /** Changes one account's overrides; null removes them all. */
  changeAccount(account: number, change: Partial<AccountSettings> | null): Settings;
};

export type SandboxEnv = {
  /** Absent when the app is called without a server. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** The newest transaction that existed when the request arrived. */
    arrivalSeq: number;
    /** The current lookup excludes records younger than this (ms). */
    lagMs: number;
    /** The caller's account, if any fault is limited to an account. */
    account: number | null;
  };
};

export function createWorld(options: { file: string; publicUrl: string; productUrl: string }): World {
  const store = openStore(options.file);
  let offsetMs = Number(store.meta('clock-offset-ms') ?? 0);
  let settings: Settings = { ...defaultSettings, ...JSON.parse(store.meta('settings') ?? '{}') };
  let overrides: Record<number, Partial<AccountSettings>> = JSON.parse(store.meta('account-settings') ?? '{}');
  return {
    store,
    faults: createFaults(),
    requests: createRequestLog(),
    publicUrl: options.publicUrl.replace(/\/+$/, ''),
    productUrl: options.productUrl.replace(/\/+$/, ''),
    now: () => Date.now() + offsetMs,
    addSeconds(seconds) {
      offsetMs += seconds * 1000;
      store.setMeta('clock-offset-ms', String(offsetMs));
    },
    settings: (account) => ({ ...settings, ...overrides[account ?? 0] }),
    changeSettings(change) {
      settings = { ...settings, ...change };
      store.setMeta('settings', JSON.stringify(settings));
      return settings;
    },
    changeAccount(account, change) {
      const { [account]: before, ...others } = overrides;
      overrides = change === null ? others : { ...others, [account]: { ...before, ...change } };
      store.setMeta('account-settings', JSON.stringify(overrides));
      return { ...settings, ...overrides[account] };
    },
  };
}
