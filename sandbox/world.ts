import type { HttpBindings } from '@hono/node-server';
import { createFaults, type Faults } from './faults.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import { openStore, type Store } from './store.ts';

export type Settings = {
  /** The payments that `check-field` sees: those at commit time, those finished when the request arrived, or none. */
  dedupe: 'commit' | 'arrival' | 'none';
  /** Whether a token refresh hands out a new refresh token and ends the old one. */
  rotate_refresh: boolean;
  /** Whether the CRM's rate limits are enforced; their headers are always sent. */
  limits: boolean;
  /** Whether a sale on a counter terminal approves without a tap. */
  auto_tap: boolean;
  /** How long a counter terminal waits for a card; the vendor does not say. */
  terminal_timeout_ms: number;
  /** Whether a terminal's reply holds only the fields that the vendor guarantees, or all fields of a sale. */
  terminal_replies: 'bare' | 'full';
  /** The name under which a bank debit's reply shows it; the vendor's documents have both. */
  ach_replies: 'transaction' | 'ach-transaction';
  /** The newest introspection's answer: all fields of the older versions, or only whether the token is active. */
  introspection: 'full' | 'bare';
  /** The outcome of closing a batch: closed at once, closed after a while, or refused by the processor. */
  batch_close: 'closed' | 'pending' | 'failed';
  /** Whether the webhook about a transaction is answered before the call that made it. */
  webhooks_first: boolean;
  /** How `getPaymentToken()` acts on an invalid field of the card frame; the vendor does not say. */
  invalid_fields: 'reject' | 'pending';
  /** The scopes that a consent grants, regardless of the request; null grants the requested ones. */
  granted_scopes: string[] | null;
  /** Who may pass the consent page: anyone of an account, or only its installer, the first of its users. [guessed] */
  consent: 'anyone' | 'installer-only';
  /**
   * What the CRM's payment records do in an account: refused, kept without moving a balance, or moving it, a part of what
   * is owed only where the invoice allows parts. Null: 'on' for the second account, 'off' for the others.
   */
  payments: 'on' | 'off' | 'record-only' | 'no-parts' | null;
  /** How long the links of a new payment record stay out of answers. */
  association_lag_ms: number;
  /** The optional scopes that this account may grant; null: all that the app declares. */
  optional_scopes: string[] | null;
  /** Text behind the browser script, as if the provider had brought out another version. */
  script_suffix: string;
  /** From one event of a mail to the next. */
  mail_delay_ms: number;
  /** Where webhooks go; null is the product's own address (see `webhookUrl`). */
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
  /** The sandbox's clock, milliseconds; `addSeconds` moves it for good. */
  now(): number;
  addSeconds(seconds: number): void;
  /** An account's own settings over the common ones. */
  settings(account?: number | null): Settings;
  changeSettings(change: Partial<Settings>): Settings;
  /** One account's own settings; null removes them all. */
  changeAccount(account: number, change: Partial<AccountSettings> | null): Settings;
};

export type SandboxEnv = {
  /** Absent when the app is called without a server. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** The newest transaction that existed when the request arrived. */
    arrivalSeq: number;
    /** The current lookup does not see records younger than this. */
    lagMs: number;
    /** The caller's account, if any fault is limited to an account. */
    account: number | null;
  };
};

export function createWorld(options: { file: string; publicUrl: string; productUrl: string }): World {
  const store = openStore(options.file);
  let offsetMs = Number(store.meta('clock-offset-ms') ?? 0);
  let settings: Settings = { ...defaultSettings, ...JSON.parse(store.meta('settings') ?? '{}') };
  let own: Record<number, Partial<AccountSettings>> = JSON.parse(store.meta('account-settings') ?? '{}');
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
    settings: (account) => ({ ...settings, ...own[account ?? 0] }),
    changeSettings(change) {
      settings = { ...settings, ...change };
      store.setMeta('settings', JSON.stringify(settings));
      return settings;
    },
    changeAccount(account, change) {
      const { [account]: before, ...others } = own;
      own = change === null ? others : { ...others, [account]: { ...before, ...change } };
      store.setMeta('account-settings', JSON.stringify(own));
      return { ...settings, ...own[account] };
    },
  };
}
