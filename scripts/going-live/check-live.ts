import { builtPath } from '#shared/paths';
import type { Settings } from '#worker/env';
import { mailWebhookFinding, signedMailCall } from './check-mail-webhook.ts';
import { monitorFindings } from './check-monitor.ts';
import { type Finding, missing, notChecked, ok, wrong } from './finding.ts';

const WAIT_MS = 10_000;

/** Checks the live installation from the internet. */
export async function checkLive({
  APP_URL,
  BOARDING_WEBHOOK_SECRET,
  TRANSACTION_WEBHOOK_SECRET,
  MAIL_WEBHOOK_SECRET,
  BUILD_SECRET,
  MONITOR_SECRET,
}: Settings): Promise<Finding[]> {
  const ask = async (path: string, init: RequestInit = {}): Promise<Response | null> =>
    fetch(`${APP_URL}${path}`, { redirect: 'manual', ...init, signal: AbortSignal.timeout(WAIT_MS) }).catch(() => null);
  const isPublic = APP_URL.startsWith('https:');
  const home = await ask('/');
  const remedy = isPublic ? 'run npm run deploy (step 5)' : 'run npm start in another window';
  if (!home) return [missing('the site', `${APP_URL} does not answer; ${remedy}`)];
  const [own, built, hook, news, mails, reports, monitor] = await Promise.all([
    ask('/app_url'),
    ask(builtPath),
    // No provider sends this body: the right address refuses it for its content, a wrong one is not found.
    ask(`/api/webhooks/boarding/${BOARDING_WEBHOOK_SECRET}`, { method: 'POST', body: 'nothing' }),
    ask(`/api/webhooks/transactions/${TRANSACTION_WEBHOOK_SECRET}`, { method: 'POST', body: 'nothing' }),
    MAIL_WEBHOOK_SECRET === '' ? null : ask('/api/webhooks/mail', signedMailCall(MAIL_WEBHOOK_SECRET)),
    ask('/api/internal/builds/none', {
      method: 'POST',
      headers: { authorization: `Bearer ${BUILD_SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'building', progress: 0, step: '' }),
    }),
    MONITOR_SECRET === '' ? null : ask('/api/monitor', { headers: { authorization: `Bearer ${MONITOR_SECRET}` } }),
  ]);
  const address = own?.ok ? ((await own.json()) as { appUrl?: string }).appUrl : undefined;
  return [
    home.ok ? ok('the site', APP_URL) : wrong('the site', `${APP_URL} answers ${home.status}`),
    home.headers.has('strict-transport-security')
      ? ok('security headers')
      : wrong('security headers', 'are not sent; is something between the Worker and the internet?'),
    address === APP_URL
      ? ok('address of the Worker')
      : wrong('address of the Worker', `its APP_URL is ${address ?? 'not readable'}; run npm run deploy again`),
    built?.ok
      ? ok('built site', `revision ${((await built.json()) as { revision?: number }).revision}`)
      : missing('built site', `${builtPath} is not there; run npm run deploy (step 5)`),
    hook && hook.status !== 404
      ? ok('webhook address for boarding')
      : wrong('webhook address for boarding', 'the Worker has another BOARDING_WEBHOOK_SECRET'),
    news && news.status !== 404
      ? ok('webhook address for transactions')
      : wrong('webhook address for transactions', 'the Worker has another TRANSACTION_WEBHOOK_SECRET'),
    mailWebhookFinding(MAIL_WEBHOOK_SECRET, mails),
    // 404 here means the right secret and an unknown build.
    reports?.status === 404
      ? ok('builder’s reports (BUILD_SECRET)')
      : wrong('builder’s reports (BUILD_SECRET)', 'the Worker has another secret; run npm run deploy again'),
    ...(await monitorFindings(MONITOR_SECRET, monitor, isPublic)),
    notChecked('build service', 'a call of its hook would start a build: publish something and watch /cms (step 6)'),
    notChecked('owner of the content area', `log in at ${APP_URL}/cms/login (step 5)`),
  ];
}
