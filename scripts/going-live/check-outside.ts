import { connect } from 'node:tls';
import { PROVIDER_SCRIPT_PATH } from '#shared/partners';
import type { Settings } from '#worker/env';
import { type Finding, notChecked, ok, wrong } from './finding.ts';

const WAIT_MS = 10_000;

type Answer = { status: number; text: string } | null;

async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  try {
    const response = await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(WAIT_MS) });
    return { status: response.status, text: await response.text() };
  } catch {
    return null;
  }
}

/** Checks that the vendors respond and accept our keys. Changes nothing there. */
export const checkOutside = (settings: Settings): Promise<Finding[]> =>
  Promise.all([crm(settings), gateway(settings), boarding(settings), mail(settings)]);

/** Sends a made-up refresh token: the CRM checks the app's id and secret before it refuses the token. */
async function crm({ HUBSPOT_API_BASE, HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET }: Settings): Promise<Finding> {
  const label = 'CRM app (HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET)';
  const answer = await ask(`${HUBSPOT_API_BASE}/oauth/2026-09/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: HUBSPOT_CLIENT_ID,
      client_secret: HUBSPOT_CLIENT_SECRET,
      refresh_token: 'a-token-that-nobody-has',
    }),
  });
  if (!answer) return wrong(label, 'HUBSPOT_API_BASE does not answer');
  if (answer.status >= 500 || answer.status === 404) return wrong(label, `the token call answers ${answer.status}`);
  return /client/i.test(answer.text) ? wrong(label, 'the CRM rejects this app and secret') : ok(label);
}

async function gateway({ GATEWAY_BASE_URL }: Settings): Promise<Finding> {
  const label = 'card gateway (GATEWAY_BASE_URL)';
  const answer = await ask(`${GATEWAY_BASE_URL}${PROVIDER_SCRIPT_PATH}`);
  if (!answer) return wrong(label, 'does not answer');
  return answer.status === 200 ? ok(label) : wrong(label, `the browser script answers ${answer.status}`);
}

async function boarding({ BOARDING_BASE_URL }: Settings): Promise<Finding> {
  const label = 'boarding (BOARDING_BASE_URL)';
  const answer = await ask(BOARDING_BASE_URL);
  return answer
    ? notChecked(label, 'answers; the first business that signs up will show that the partner account works')
    : wrong(label, 'does not answer');
}

async function mail({ MAIL_API_BASE, MAIL_API_KEY }: Settings): Promise<Finding> {
  const label = 'mail (MAIL_API_KEY)';
  const answer = await ask(`${MAIL_API_BASE}/domains`, { headers: { authorization: `Bearer ${MAIL_API_KEY}` } });
  if (!answer) return wrong(label, 'MAIL_API_BASE does not answer');
  // A send-only key is refused here with "restricted", which also proves that it is valid.
  if (answer.status === 200 || /restricted/i.test(answer.text)) return ok(label);
  return answer.status === 404
    ? notChecked(label, 'the service has no call that checks a key; send yourself a reset mail')
    : wrong(label, `the service answers ${answer.status}`);
}

/** Checks the installation's transport: no TLS before 1.2, and over plain http only a redirect to https. */
export async function checkTransport({ APP_URL }: Pick<Settings, 'APP_URL'>): Promise<Finding[]> {
  const { hostname, port, protocol } = new URL(APP_URL);
  if (protocol !== 'https:') return [notChecked('encryption', 'APP_URL is not an https address')];
  return Promise.all([checkOldTls(hostname, Number(port || 443)), checkPlainHttp(`http://${hostname}`)]);
}

/** Offers only TLS 1.0 and 1.1, with every cipher: a secure server refuses. */
export async function checkOldTls(host: string, port: number): Promise<Finding> {
  const label = 'TLS before 1.2';
  const code = await new Promise<string>((resolve) => {
    const socket = connect({
      host,
      port,
      servername: host,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      // Otherwise our own library would refuse before it contacts the server.
      ciphers: 'ALL:@SECLEVEL=0',
      rejectUnauthorized: false,
    });
    const end = (result: string) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(WAIT_MS, () => end('ETIMEDOUT'));
    socket.once('secureConnect', () => end('accepted'));
    socket.once('error', (cause: NodeJS.ErrnoException) => end(cause.code ?? ''));
  });
  if (code === 'accepted')
    return wrong(label, 'is accepted: set Minimum TLS Version to 1.2 (dashboard, SSL/TLS, Edge Certificates)');
  // A server's alert has an OpenSSL code that begins with ERR_. Other codes, except a reset, mean no connection.
  return /^E(?!RR_)[A-Z_]+$/.test(code) && code !== 'ECONNRESET'
    ? notChecked(label, `no answer (${code})`)
    : ok(label, 'refused');
}

/** `origin`: the installation's http origin. It must redirect to https or refuse. */
export async function checkPlainHttp(origin: string): Promise<Finding> {
  const label = 'plain http';
  const answer = await fetch(`${origin}/terms`, { redirect: 'manual', signal: AbortSignal.timeout(WAIT_MS) }).catch(
    () => null,
  );
  if (!answer) return ok(label, 'not answered');
  if (answer.headers.get('location')?.startsWith('https://') || answer.status === 421) return ok(label, 'refused');
  return wrong(
    label,
    `is answered with ${answer.status}: switch on Always Use HTTPS (dashboard, SSL/TLS, Edge Certificates)`,
  );
}
