import { type ClinicObject, type Clinics, openClinics } from './clinic/clinics.ts';
import type { Actor } from './data/audit/events.ts';
import { type Db, openDb } from './data/db.ts';
import { findSuccessor } from './data/operate/directory.ts';
import { pairedBucket } from './data/operate/file-copies.ts';
import { createPause, type Pause } from './domain/payments/pause.ts';
import { readEnv, type Settings } from './env.ts';
import { consoleLog, keeping, type Log, type Raised } from './log.ts';
import { createPasswords, type Passwords } from './security/passwords.ts';
import {
  type AccessTokens,
  createAccessTokens,
  createSignedTokens,
  LONGEST_TOKEN_MS,
  type SignedTokens,
} from './security/signed-tokens.ts';
import { boundTo, createSealer, type Sealer } from './security/token-cipher.ts';
import type { Boarding } from './vendors/boarding-port.ts';
import { createClearentBoarding } from './vendors/clearent/boarding.ts';
import { createClearent } from './vendors/clearent/clearent.ts';
import type { BrowserScript, Gateway } from './vendors/gateway-port.ts';
import { createHubSpot } from './vendors/hubspot/hubspot.ts';
import type { Crm } from './vendors/hubspot/port.ts';
import { createDeployHook, createOperatorLine } from './vendors/outgoing-webhooks/outgoing-webhooks.ts';
import type { OperatorLine, SiteBuilder } from './vendors/outgoing-webhooks/port.ts';
import type { Mailer, MailTeller } from './vendors/resend/port.ts';
import { createResend, createTeller } from './vendors/resend/resend.ts';

export type Bindings = {
  /** D1: what is of all clinics together. */
  INSTALLATION: D1Database;
  /** An object for each clinic: its database and its clock. */
  CLINICS: DurableObjectNamespace<ClinicObject>;
  MEDIA: R2Bucket;
  AUDIT_ANCHORS: R2Bucket;
  /** Dumps of the databases, and copies of the files that they name. */
  BACKUPS: R2Bucket;
  ASSETS: Fetcher;
};
export type Env = Bindings & Record<string, unknown>;

/** The pay page as it is deployed and the provider's script as it is served, for the tamper monitor. */
export type PayPageParts = {
  /** The page with nothing filled in, with the headers that a payer gets. */
  page(): Promise<Response>;
  /** A file of the built site, by its path. */
  file(path: string): Promise<Response>;
  providerScript(): Promise<BrowserScript>;
};

/**
 * Everything that a verb may use, for a clinic (`ofClinic`) or for the installation. Time, randomness and pauses are here
 * too, so that tests control them.
 */
export type Deps = {
  /** Who acts, for the audit trail: the schedule, unless a request names another. */
  actor: Actor;
  /** Number of the clinic that this is done for, as the directory has it; 0: the installation. */
  clinic: number;
  /** The database at hand: that clinic's own, or the installation's. */
  db: Db;
  /** What is of all clinics together: content, the directory of clinics, logins that were begun. */
  installation: Db;
  clinics: Clinics;
  media: R2Bucket;
  /** What is in it is written once and never replaced. */
  anchors: R2Bucket;
  backups: R2Bucket;
  crm: Crm;
  gateway: Gateway;
  boarding: Boarding;
  mailer: Mailer;
  mailTeller: MailTeller;
  builder: SiteBuilder;
  /** Null where no page is served. */
  payPage: (() => Promise<PayPageParts>) | null;
  sealer: Sealer;
  accessTokens: AccessTokens;
  /**
   * Signed tokens: of the content area the session, the preview link, and a browser that has logged in before; the
   * challenge that a browser was given for a passkey, of an operator and of a clinic's staff.
   */
  signed: Record<'content' | 'preview' | 'device' | 'challenge' | 'staffChallenge', SignedTokens>;
  passwords: Passwords;
  /**
   * Hashes of PINs. They do not queue: only staff who are logged in try them, five times at most, and a desk must not wait
   * for people who log in elsewhere.
   */
  pins: Passwords;
  /** Whether an operator has paused online payments. */
  payments: Pause;
  settings: Settings;
  log: Log;
  /** Alerts of the log that are not in their table yet. */
  raised: Raised[];
  /** Of the Worker, as the platform names it. */
  version: string;
  operatorLine: OperatorLine;
  /** UTC milliseconds. */
  now(): number;
  /** 32 hex digits, unique. */
  newId(): string;
  /** URL-safe, 160 random bits. */
  newSecret(): string;
  /** A new secret that also names the clinic at hand: knowing it grants access. */
  newCapability(): string;
  /** In hexadecimal digits. */
  sha256(of: string | Uint8Array): Promise<string>;
  pause(ms: number): Promise<void>;
};

const SYSTEM: Actor = { kind: 'system', id: '', sessionId: '', ipHash: '', requestId: '' };
const PREVIEW_MS = 3_600_000;
/** How long a browser may take to answer with a passkey. */
const CHALLENGE_MS = 5 * 60_000;

/** The deps of the installation. */
export function createDeps(env: Env): Deps {
  const settings = readEnv(env);
  const sealer = createSealer(settings.TOKEN_KEYS);
  const raised: Raised[] = [];
  const installation = openDb(env.INSTALLATION);
  return {
    actor: SYSTEM,
    clinic: 0,
    db: installation,
    installation,
    clinics: openClinics(env.CLINICS, (clinic) => findSuccessor(installation, clinic)),
    media: pairedBucket(env.MEDIA, env.BACKUPS),
    anchors: env.AUDIT_ANCHORS,
    backups: env.BACKUPS,
    crm: createHubSpot({
      baseUrl: settings.HUBSPOT_API_BASE,
      clientId: settings.HUBSPOT_CLIENT_ID,
      clientSecret: settings.HUBSPOT_CLIENT_SECRET,
      authorizeBase: settings.HUBSPOT_AUTHORIZE_BASE,
      optionalScopes: settings.HUBSPOT_OPTIONAL_SCOPES,
      redirectUri: `${settings.APP_URL}/oauth`,
      timeoutMs: settings.CRM_TIMEOUT_MS,
    }),
    gateway: createClearent({
      baseUrl: settings.GATEWAY_BASE_URL,
      sandbox: settings.GATEWAY_SANDBOX,
      timeoutMs: settings.CHARGE_TIMEOUT_MS,
      terminalTimeoutMs: settings.TERMINAL_TIMEOUT_MS,
      openApiKey: ({ sealedApiKey, accountId, terminalId }) =>
        sealer.open(sealedApiKey, boundTo.apiKey(accountId, terminalId)),
    }),
    boarding: createClearentBoarding({
      gatewayBase: settings.GATEWAY_BASE_URL,
      boardingBase: settings.BOARDING_BASE_URL,
      reportingBase: settings.REPORTING_BASE_URL,
      linkHosts: settings.BOARDING_LINK_HOSTS,
      accessKey: settings.BOARDING_ACCESS_KEY,
      hierarchyNodeKey: settings.BOARDING_NODE_KEY,
      mccCode: settings.MCC_CODE,
      timeoutMs: 20_000,
    }),
    mailer: createResend({
      baseUrl: settings.MAIL_API_BASE,
      apiKey: settings.MAIL_API_KEY,
      from: settings.MAIL_FROM,
      timeoutMs: 10_000,
    }),
    mailTeller: createTeller(settings),
    builder: createDeployHook({ url: settings.DEPLOY_HOOK_URL, timeoutMs: 10_000 }),
    payPage: null,
    sealer,
    accessTokens: createAccessTokens(settings.SESSION_KEYS, settings.ACCESS_TOKEN_MS),
    signed: {
      content: createSignedTokens(settings.SESSION_KEYS, 'tillway-content', settings.ACCESS_TOKEN_MS),
      preview: createSignedTokens(settings.SESSION_KEYS, 'tillway-preview', PREVIEW_MS),
      device: createSignedTokens(settings.SESSION_KEYS, 'tillway-content-device', LONGEST_TOKEN_MS),
      challenge: createSignedTokens(settings.SESSION_KEYS, 'tillway-operator-challenge', CHALLENGE_MS),
      staffChallenge: createSignedTokens(settings.SESSION_KEYS, 'tillway-staff-challenge', CHALLENGE_MS),
    },
    passwords: createPasswords({ intervalMs: settings.HASH_INTERVAL_MS, waitMs: settings.HASH_WAIT_MS }),
    pins: createPasswords({ intervalMs: 0, waitMs: 0 }),
    payments: createPause(installation, Date.now),
    settings,
    log: keeping(consoleLog, raised, Date.now),
    raised,
    version: (env.VERSION as { id: string } | undefined)?.id ?? '',
    operatorLine: createOperatorLine(settings),
    now: Date.now,
    newId: () => crypto.randomUUID().replaceAll('-', ''),
    newSecret: () => base64Url(crypto.getRandomValues(new Uint8Array(20))),
    newCapability: () => {
      throw new Error('the installation has no capabilities: they name a clinic');
    },
    sha256: async (of) => {
      const bytes = typeof of === 'string' ? new TextEncoder().encode(of) : of;
      const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
      return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
