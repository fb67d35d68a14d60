import { connect } from 'node:tls';
import type { Settings } from '#worker/env';
import { type Finding, notChecked, ok, wrong } from './finding.ts';

const WAIT_MS = 10_000;

/** Checks how the installation is reached: no TLS before 1.2, and nothing over plain http but the way to https. */
export async function checkTransport({ APP_URL }: Pick<Settings, 'APP_URL'>): Promise<Finding[]> {
  const { hostname, port, protocol } = new URL(APP_URL);
  if (protocol !== 'https:') return [notChecked('encryption', 'APP_URL is not an https address')];
  return Promise.all([checkOldTls(hostname, Number(port || 443)), checkPlainHttp(`http://${hostname}`)]);
}

/** Offers TLS 1.0 and 1.1 alone, with every cipher there is: a good server refuses. */
export async function checkOldTls(host: string, port: number): Promise<Finding> {
  const what = 'TLS before 1.2';
  const code = await new Promise<string>((resolve) => {
    const socket = connect({
      host,
      port,
      servername: host,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      // Otherwise our own library would refuse before the server is asked.
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
    return wrong(what, 'is accepted: set Minimum TLS Version to 1.2 (dashboard, SSL/TLS, Edge Certificates)');
  // An alert of the server has a code of OpenSSL, which begins with ERR_; the rest never came to the question.
  return /^E(?!RR_)[A-Z_]+$/.test(code) && code !== 'ECONNRESET'
    ? notChecked(what, `no answer (${code})`)
    : ok(what, 'refused');
}

/** `origin`: the installation's name over http. It may lead to https or refuse. */
export async function checkPlainHttp(origin: string): Promise<Finding> {
  const what = 'plain http';
  const answer = await fetch(`${origin}/terms`, { redirect: 'manual', signal: AbortSignal.timeout(WAIT_MS) }).catch(
    () => null,
  );
  if (!answer) return ok(what, 'not answered');
  if (answer.headers.get('location')?.startsWith('https://') || answer.status === 421) return ok(what, 'refused');
  return wrong(
    what,
    `is answered with ${answer.status}: switch on Always Use HTTPS (dashboard, SSL/TLS, Edge Certificates)`,
  );
}
