import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type {
  ApprovalBody,
  Approved,
  MonitorNoted,
  MonitorReportBody,
  MonitorState,
} from '#shared/contracts/operators/monitor';
import { fileOf } from '../going-live/environment-file.ts';
import { readEnvironment } from '../going-live/read-environment.ts';
import { readLocal } from '../local/settings.ts';

/** The installation that the monitor checks. */
export type Installation = {
  appUrl: string;
  /** The origin of the card provider's script and frame. */
  provider: string;
  secret: string;
  /** Pay links to try: the first with a form is checked. Empty if none was given. */
  links: string[];
};

/** File in the state folder into which `npm start` writes its pay links. */
export const PAY_LINKS_FILE = 'pay-links.txt';

/**
 * The installation from the variables of a build service, else from `production.json`, else from `npm start` on this
 * machine. Throws an Error that names the missing settings.
 */
export function readInstallation(env: NodeJS.ProcessEnv, options: { link?: string; isLocal: boolean }): Installation {
  const { link, isLocal } = options;
  const chosen = link || env.MONITOR_LINK;
  const links = chosen ? [chosen] : [];
  if (!isLocal && env.APP_URL)
    return makeInstallation(env.APP_URL, env.GATEWAY_BASE_URL ?? '', env.MONITOR_SECRET ?? '', links);
  if (!isLocal && existsSync(fileOf('production'))) {
    const { settings } = readEnvironment('production');
    if (!settings) throw new Error(`${fileOf('production')} is not complete; npm run doctor lists what is missing`);
    return makeInstallation(settings.APP_URL, settings.GATEWAY_BASE_URL, settings.MONITOR_SECRET, links);
  }
  const { appUrl, state, vars } = readLocal(env);
  const file = path.join(state, PAY_LINKS_FILE);
  if (!existsSync(file))
    throw new Error('nothing runs on this machine: run npm start first, or configure an installation');
  const localLinks = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return makeInstallation(appUrl, vars.GATEWAY_BASE_URL ?? '', vars.MONITOR_SECRET ?? '', chosen ? links : localLinks);
}

function makeInstallation(appUrl: string, gateway: string, secret: string, links: string[]): Installation {
  const missing = Object.entries({ GATEWAY_BASE_URL: gateway, MONITOR_SECRET: secret }).filter(([, value]) => !value);
  if (missing.length > 0) throw new Error(`${missing.map(([name]) => name).join(' and ')} must be set`);
  const app = appUrl.replace(/\/+$/, '');
  if (links.some((link) => !link.startsWith(`${app}/make/payment/`)))
    throw new Error(`the link must be a pay page of ${app}`);
  return { appUrl: app, provider: new URL(gateway).origin, secret, links };
}

const WAIT_MS = 30_000;

/** The installation's calls for its monitor. Each throws an Error with the installation's error message. */
export function callsOf({ appUrl, secret }: Pick<Installation, 'appUrl' | 'secret'>) {
  const call = async <T>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${appUrl}${path}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(WAIT_MS),
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    }).catch((cause: Error) => {
      throw new Error(`${appUrl} does not answer: ${cause.message}`);
    });
    const text = await response.text();
    if (!response.ok) throw new Error(messageIn(text) || `${path} answered ${response.status}`);
    return JSON.parse(text) as T;
  };
  return {
    state: () => call<MonitorState>('/api/monitor'),
    report: (report: MonitorReportBody) => call<MonitorNoted>('/api/monitor', report),
    approve: (approval: ApprovalBody) => call<Approved>('/api/monitor/approvals', approval),
  };
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message;
  } catch {
    return undefined;
  }
}
