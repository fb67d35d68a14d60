import { type ClinicObject, type Clinics, openClinics } from './clinic/clinics.ts';
import type { Actor } from './data/audit/events.ts';
import { type Db, openDb } from './data/db.ts';
import { findSuccessor } from './data/operate/directory.ts';
import { pairedBucket } from './data/operate/file-copies.ts';
import { createPause, type Pause } from './domain/payments/pause.ts';
import { readEnv, type Settings } from './env.ts';
import { collectAlerts, consoleLog, type Log, type RaisedAlert } from './log.ts';
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
import { createDeployHook, createOperatorChannel } from './vendors/outgoing-webhooks/outgoing-webhooks.ts';
import type { OperatorChannel, SiteBuilder } from './vendors/outgoing-webhooks/port.ts';
import type { Mailer, MailTracking } from './vendors/resend/port.ts';
import { createMailTracking, createResend } from './vendors/resend/resend.ts';

export type Bindings = {
  /** The D1 database for data shared by all clinics. */
  INSTALLATION: D1Database;
  /** A Durable Object for each clinic, with its database and its alarm. */
  CLINICS: DurableObjectNamespace<ClinicObject>;
  MEDIA: R2Bucket;
  AUDIT_ANCHORS: R2Bucket;
  /** Dumps of the databases, and copies of the files to which they refer. */
  BACKUPS: R2Bucket;
  ASSETS: Fetcher;
};
export type Env = Bindings & Record<string, unknown>;

/** The deployed pay page and the live third-party scripts, for the tamper monitor. */
export type PayPageParts = {
  /** The page without data, with the headers that a payer gets. */
  page(): Promise<Response>;
  /** A file of the built site, by its path. */
  file(path: string): Promise<Response>;
  providerScript(): Promise<BrowserScript>;
  /** Google's script, which the provider's script loads if a clinic accepts Google Pay. */
  googleScript(): Promise<BrowserScript>;
};

/**
 * Everything that domain code may use, for a clinic (`depsOfClinic`) or for the installation. Includes time, randomness
 * and pauses, so that tests control them.
 */
export type Deps = {
  /** The actor for the audit trail, which is the schedule unless a request sets another. */
  actor: Actor;
  /** The number of the current clinic in the directory; 0 for the installation. */
  clinic: number;
  /** The database of that clinic, or of the installation. */
  db: Db;
  /** Data shared by all clinics: content, the directory of clinics, and logins in progress. */
  installation: Db;
  clinics: Clinics;
  media: R2Bucket;
  /** Its objects are written once and never replaced. */
  anchors: R2Bucket;
  backups: R2Bucket;
  crm: Crm;
  gateway: Gateway;
  boarding: Boarding;
  mailer: Mailer;
  mailTracking: MailTracking;
  builder: SiteBuilder;
  /** Null if no page is served. */
  payPage: (() => Promise<PayPageParts>) | null;
  sealer: Sealer;
  accessTokens: AccessTokens;
  /**
   * Signed tokens. The content area uses them for the session, the preview link, and a browser that has logged in
   * before. The challenges are for the passkeys of operators and of a clinic's staff.
   */
  signed: Record<'content' | 'preview' | 'device' | 'challenge' | 'staffChallenge', SignedTokens>;
  passwords: Passwords;
  /**
   * Hashes PINs without a queue, because only logged-in staff can try them, at most five times, and a desk must not
   * wait for other people's logins.
   */
  pins: Passwords;
  /** The switch with which an operator pauses online payments. */
  payments: Pause;
  settings: Settings;
  log: Log;
  /** Alerts that have been logged but not stored yet. */
  raised: RaisedAlert[];
  /** The Worker's version id, from the platform. */
  version: string;
  operatorChannel: OperatorChannel;
  /** The current time (UTC ms). */
  now(): number;
  /** Returns a unique id of 32 hex digits. */
  newId(): string;
  /** Returns 160 random bits as URL-safe text. */
  newSecret(): string;
  /** Returns a new secret that contains the current clinic's number. Anyone who knows it has access. */
  newCapability(): string;
  /** Returns the hash as hex digits. */
  sha256(input: string | Uint8Array): Promise<string>;
  pause(ms: number): Promise<void>;
};

const SYSTEM_ACTOR: Actor = { kind: 'system', id: '', sessionId: '', ipHash: '', requestId: '' };
const PREVIEW_MS = 3_600_000;
/** The time limit for a passkey response. */
const CHALLENGE_MS = 5 * 60_000;

/** Creates the dependencies of the installation. */
export function createDeps(env: Env): Deps {
  const settings = readEnv(env);
  const sealer = createSealer(settings.TOKEN_KEYS);
  const raised: RaisedAlert[] = [];
  const installation = openDb(env.INSTALLATION);
  return {
    actor: SYSTEM_ACTOR,
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
    mailTracking: createMailTracking(settings),
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
    log: collectAlerts(consoleLog, raised, Date.now),
    raised,
    version: (env.VERSION as { id: string } | undefined)?.id ?? '',
    operatorChannel: createOperatorChannel(settings),
    now: Date.now,
    newId: () => crypto.randomUUID().replaceAll('-', ''),
    newSecret: () => base64Url(crypto.getRandomValues(new Uint8Array(20))),
    newCapability: () => {
      throw new Error('the installation has no capabilities: they name a clinic');
    },
    sha256: async (input) => {
      const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
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
