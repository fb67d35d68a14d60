import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { NO_EVENT } from '#scripts/going-live/check-live';
import type { MonitorState } from '#shared/contracts/operators/monitor';
import { signatureOf } from '#tests/support/mail-news';

/** Starts a server for the current test; returns its address. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The state of a healthy tamper monitor, with the given changes. */
export const makeMonitorState = (changes: Partial<MonitorState> = {}): MonitorState => ({
  approved: ['a'.repeat(64)],
  files: {},
  lastRuns: { inside: Date.now(), outside: Date.now() },
  findings: [],
  ...changes,
});

/** The secrets by which other services authenticate to an installation. */
export type Secrets = Record<
  'BOARDING_WEBHOOK_SECRET' | 'TRANSACTION_WEBHOOK_SECRET' | 'MAIL_WEBHOOK_SECRET' | 'BUILD_SECRET' | 'MONITOR_SECRET',
  string
>;

/** Responds to the doctor and to a deploy like a Worker with these settings. */
export const answerAsInstallation =
  (secrets: Secrets, now: () => { appUrl: string; commit?: string }): RequestListener =>
  (request, response) => {
    const url = request.url ?? '';
    const hasSecret = (secret: string) => request.headers.authorization === `Bearer ${secret}`;
    const hooks = [
      `/boarding/${secrets.BOARDING_WEBHOOK_SECRET}`,
      `/transactions/${secrets.TRANSACTION_WEBHOOK_SECRET}`,
    ];
    response.setHeader('strict-transport-security', 'max-age=1');
    if (url === '/app_url') response.end(JSON.stringify({ appUrl: now().appUrl }));
    else if (url === '/built.json') response.end('{"revision":4}');
    else if (url === '/api/health') response.end(JSON.stringify({ commit: now().commit ?? '' }));
    else if (url === '/api/webhooks/mail') {
      const [id, seconds] = [String(request.headers['svix-id']), String(request.headers['svix-timestamp'])];
      const expectedSignature = signatureOf(secrets.MAIL_WEBHOOK_SECRET, id, seconds, NO_EVENT);
      response.writeHead(request.headers['svix-signature'] === expectedSignature ? 400 : 401).end();
    } else if (url.startsWith('/api/webhooks'))
      response.writeHead(hooks.some((hook) => url.endsWith(hook)) ? 400 : 404).end();
    else if (url.startsWith('/api/internal')) response.writeHead(hasSecret(secrets.BUILD_SECRET) ? 404 : 401).end();
    else if (url === '/api/monitor')
      response.writeHead(hasSecret(secrets.MONITOR_SECRET) ? 200 : 401).end(JSON.stringify(makeMonitorState()));
    else response.end('home');
  };
