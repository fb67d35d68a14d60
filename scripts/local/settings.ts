import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as sandbox from '#sandbox/credentials';
import { WRITE_SCOPES } from '#worker/domain/write-back/settings';
import { readEnv } from '#worker/env';

/** The state folder of a local product, and the ports of the product and its sandbox. */
export type Local = {
  port: number;
  sandboxPort: number;
  /** Absolute path. */
  state: string;
  appUrl: string;
  sandboxUrl: string;
  /** The Worker's settings, checked. */
  vars: Record<string, string>;
  owner: { email: string; password: string };
  /** True: the first start writes the first merchant's last 90 days. */
  hasHistory: boolean;
};

/** Reads the environment of a local start. Throws an Error that names the missing or malformed setting. */
export function readLocal(env: NodeJS.ProcessEnv): Local {
  const port = portOf(env, 'PORT', 8787);
  const sandboxPort = portOf(env, 'SANDBOX_PORT', 8788);
  if (port === sandboxPort) throw new Error('setting SANDBOX_PORT must differ from PORT');
  const state = path.resolve(env.TILLWAY_STATE || '.wrangler/state');
  const appUrl = `http://localhost:${port}`;
  const sandboxUrl = `http://localhost:${sandboxPort}`;
  const secrets = loadSecrets(state);
  const defaults: Record<string, string> = {
    APP_URL: appUrl,
    HUBSPOT_API_BASE: sandboxUrl,
    HUBSPOT_AUTHORIZE_BASE: sandboxUrl,
    HUBSPOT_CLIENT_ID: sandbox.crmApp.clientId,
    HUBSPOT_CLIENT_SECRET: sandbox.crmApp.clientSecret,
    HUBSPOT_OPTIONAL_SCOPES: WRITE_SCOPES.join(' '),
    GATEWAY_BASE_URL: sandboxUrl,
    GATEWAY_SANDBOX: 'true',
    BOARDING_BASE_URL: sandboxUrl,
    REPORTING_BASE_URL: sandboxUrl,
    BOARDING_ACCESS_KEY: sandbox.boarding.accessKey,
    BOARDING_NODE_KEY: sandbox.boarding.hierarchyNodeKey,
    BOARDING_WEBHOOK_SECRET: sandbox.boarding.webhookSecret,
    TRANSACTION_WEBHOOK_SECRET: sandbox.transactionWebhookSecret,
    MAIL_API_BASE: sandboxUrl,
    MAIL_API_KEY: sandbox.mailApiKey,
    MAIL_WEBHOOK_SECRET: sandbox.mailWebhookSecret,
    MAIL_FROM: 'Tillway <receipts@tillway.example>',
    OWNER_SETUP_CODE: secrets.setupCode,
    OWNERS_NEED_PASSKEY: 'false',
    OPERATOR_SETUP_CODE: secrets.operatorCode,
    BUILD_SECRET: secrets.buildSecret,
    MONITOR_SECRET: secrets.monitorSecret,
    OPERATOR_SECRET: secrets.operatorSecret,
    ALERT_MAIL_TO: 'operator@tillway.example',
    ALERT_WEBHOOK_URL: `${sandboxUrl}/_sandbox/alerts`,
    HEALTH_SECRET: secrets.healthSecret,
    TOKEN_KEYS: secrets.tokenKeys,
    SESSION_KEYS: secrets.sessionKeys,
    CAPABILITY_KEYS: secrets.capabilityKeys,
  };
  // The Worker's defaults contain the names of all settings.
  const overrides = Object.keys(readEnv(defaults)).flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const vars = { ...defaults, ...Object.fromEntries(overrides) };
  readEnv(vars);
  return { port, sandboxPort, state, appUrl, sandboxUrl, vars, owner: secrets.owner, hasHistory: hasHistory(env) };
}

function hasHistory({ TILLWAY_HISTORY: text = '90' }: NodeJS.ProcessEnv): boolean {
  if (text !== '90' && text !== 'none') throw new Error('setting TILLWAY_HISTORY must be 90 or none');
  return text === '90';
}

function portOf(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`setting ${name} must be a port number`);
  return port;
}

type LocalSecrets = {
  tokenKeys: string;
  sessionKeys: string;
  capabilityKeys: string;
  setupCode: string;
  operatorCode: string;
  buildSecret: string;
  monitorSecret: string;
  operatorSecret: string;
  healthSecret: string;
  owner: { email: string; password: string };
};

/** Secrets of this state folder, created at its first start, so that later starts can decrypt its data. */
function loadSecrets(state: string): LocalSecrets {
  const file = path.join(state, 'secrets.json');
  const stored = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalSecrets>) : {};
  const secrets: LocalSecrets = {
    tokenKeys: `local:${randomBytes(32).toString('base64')}`,
    sessionKeys: `local:${randomBytes(32).toString('base64')}`,
    capabilityKeys: `local:${randomBytes(32).toString('base64')}`,
    setupCode: randomBytes(15).toString('base64url'),
    operatorCode: randomBytes(15).toString('base64url'),
    buildSecret: randomBytes(24).toString('base64url'),
    monitorSecret: randomBytes(24).toString('base64url'),
    operatorSecret: randomBytes(24).toString('base64url'),
    healthSecret: randomBytes(24).toString('base64url'),
    owner: { email: 'owner@tillway.example', password: randomBytes(12).toString('base64url') },
    ...stored,
  };
  mkdirSync(state, { recursive: true });
  // Write atomically, because the process may be killed here.
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return secrets;
}
