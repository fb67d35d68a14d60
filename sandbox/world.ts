import type { HttpBindings } from '@hono/node-server';
import { createFaults, type Faults } from './faults.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import { openStore, type Store } from './store.ts';

export type Settings = {
  /** `check-field` considers all payments at commit time, those complete when the request arrived, or none. */
  dedupe: 'commit' | 'arrival' | 'none';
  /** If true, a token refresh issues a new refresh token and revokes the old one. */
  rotate_refresh: boolean;
  /** If true, the CRM's rate limits are enforced. Their headers are always sent. */
  limits: boolean;
  /** If true, a sale on a counter terminal is approved without a tap. */
  auto_tap: boolean;
  /** Time (ms) that a counter terminal waits for a card. The vendor does not document it. */
  terminal_timeout_ms: number;
  /** Fields of a terminal's response: only those that the vendor guarantees, or all fields of a sale. */
  terminal_replies: 'bare' | 'full';
  /** Name of the member for a bank debit in responses. The vendor's documents show both. */
  ach_replies: 'transaction' | 'ach-transaction';
  /** Fields of the newest introspection: all fields of the older versions, or only `active`. */
  introspection: 'full' | 'bare';
  /** Result of closing a batch: closed at once, closed later, or refused by the processor. */
  batch_close: 'closed' | 'pending' | 'failed';
  /** If true, the webhook about a transaction completes before the call that created the transaction. */
  webhooks_first: boolean;
  /** The reaction of `getPaymentToken()` to an invalid field of the card frame. The vendor does not document it. */
  invalid_fields: 'reject' | 'pending';
  /** The scopes that a consent grants, regardless of the request. Null grants the requested ones. */
  granted_scopes: string[] | null;
  /** [guessed] Users who may grant consent: all, or only the installer, who is the first user of the account. */
  consent: 'anyone' | 'installer-only';
  /**
   * The treatment of payment records: 'on' accepts them and changes the balance, 'off' refuses them, 'record-only'
   * leaves the balance unchanged, and 'no-parts' accepts partial amounts only if the invoice allows them. Null means
   * 'on' for hub 2 and 'off' for the other hubs.
   */
  payments: 'on' | 'off' | 'record-only' | 'no-parts' | null;
  /** Time (ms) until responses contain the links of a new payment record. */
  association_lag_ms: number;
  /** The optional scopes that this account may grant. Null means all that the app declares. */
  optional_scopes: string[] | null;
  /**
   * Opener of the Apple Pay sheet: the page, or the card frame, which then needs the page's permission. With 'off',
   * Apple Pay is not offered. The vendor does not document which of the two opens the sheet.
   */
  apple_pay: 'page' | 'frame' | 'off';
  /** Google Pay on the payer's device. */
  google_pay: 'ready' | 'off';
  /** The vendor does not document where Google's button is drawn: in an element that the page names, or in the form. */
  google_button: 'element' | 'form';
  /** The vendor does not document whether a closed sheet is reported. */
  google_cancel: 'silent' | 'error';
  /** Source of the amount on Google's sheet: `init`, or the options at the click. The vendor does not document it. */
  google_amount: 'init' | 'press';
  /** Google's script: simulated, or loaded from Google's address, where a browser test supplies the response. */
  google_script: 'simulated' | 'google';
  /** A declined sale uses up a wallet's token, or leaves it usable. The vendor does not document it. */
  wallet_declines: 'spent' | 'kept';
  /** Result of registering a host for Apple Pay: enabled at once, still pending, or refused by Apple. */
  apple_domains: 'enabled' | 'pending' | 'refused';
  /** Text appended to the browser script, to simulate a new version from the provider. */
  script_suffix: string;
  /** Pause (ms) between two events about an email. */
  mail_delay_ms: number;
  /** The targets of webhooks. Null means the product's own address (see `webhookUrl`). */
  webhook_urls: Record<WebhookKind, string | null>;
};

export type WebhookKind = 'boarding' | 'transactions' | 'mail';

/** Settings that one account can override. */
export type AccountSettings = Omit<
  Settings,
  'webhook_urls' | 'invalid_fields' | 'apple_pay' | `google_${string}` | 'script_suffix' | 'mail_delay_ms'
>;

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
  apple_pay: 'page',
  google_pay: 'ready',
  google_button: 'element',
  google_cancel: 'silent',
  google_amount: 'init',
  google_script: 'simulated',
  wallet_declines: 'spent',
  apple_domains: 'enabled',
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
  /** The time (ms) on the sandbox's clock, which `addSeconds` moves permanently. */
  now(): number;
  addSeconds(seconds: number): void;
  /** The common settings with the account's overrides. */
  settings(account?: number | null): Settings;
  changeSettings(change: Partial<Settings>): Settings;
  /** Changes one account's overrides. Null removes them all. */
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
      const { [account]: previous, ...others } = overrides;
      overrides = change === null ? others : { ...others, [account]: { ...previous, ...change } };
      store.setMeta('account-settings', JSON.stringify(overrides));
      return { ...settings, ...overrides[account] };
    },
  };
}
