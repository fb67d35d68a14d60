import { createHmac } from 'node:crypto';
import type { MonitorState } from '#shared/contracts/operators/monitor';
import { builtPath, domainAssociationPath } from '#shared/paths';
import { formatFinding } from '#shared/tamper-monitor';
import type { Settings } from '#worker/env';
import { domainFileFinding } from './check-apple-pay.ts';
import { emptySetting, type Finding, missing, notChecked, ok, wrong } from './finding.ts';

const WHAT = 'webhook of mails (MAIL_WEBHOOK_SECRET)';
/** Not an event, so that a call with the right secret is refused for its content. */
export const NO_EVENT = 'nothing';

/** A call signed with the newest of these secrets. */
export function signedMailCall(secrets: string, now = Date.now()): RequestInit {
  const [id, seconds] = ['msg_doctor', String(Math.floor(now / 1000))];
  const key = Buffer.from(secrets.split(',')[0]?.slice('whsec_'.length) ?? '', 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${NO_EVENT}`).digest('base64');
  const headers = { 'svix-id': id, 'svix-timestamp': seconds, 'svix-signature': `v1,${signature}` };
  return { method: 'POST', headers, body: NO_EVENT };
}

/** Checks from the Worker's response to a signed call that it has this secret. */
export function mailWebhookFinding(secrets: string, answer: Response | null): Finding {
  if (secrets === '') return { ...emptySetting('MAIL_WEBHOOK_SECRET'), label: WHAT };
  return answer?.status === 400 ? ok(WHAT) : wrong(WHAT, 'the Worker has another secret; run npm run deploy again');
}

const HOUR_MS = 3_600_000;
/** The schedule checks every 6 hours; the check from outside is required once a week. */
const LATE_MS = { inside: 7 * HOUR_MS, outside: 8 * 24 * HOUR_MS };
const REMEDY = {
  inside: 'the schedule makes one every 6 hours; look for tamper-monitor-failed in the log',
  outside: 'run npm run monitor each week and after each release (docs/pci.md)',
};

/**
 * State of the tamper monitor, from the installation's own response (null: no response). `isPublic`: payers use the
 * installation, so a browser must check it each week.
 */
export async function monitorFindings(
  secret: string,
  answer: Response | null,
  isPublic = true,
  now = Date.now(),
): Promise<Finding[]> {
  if (secret === '')
    return [missing('tamper monitor (MONITOR_SECRET)', 'without it, no browser can report its check of the pay page')];
  if (!answer?.ok)
    return [wrong('tamper monitor (MONITOR_SECRET)', 'the Worker has another secret; run npm run deploy again')];
  const { lastRuns, findings, approved } = (await answer.json()) as MonitorState;
  const findingOf = (source: 'inside' | 'outside') => {
    const at = lastRuns[source];
    const label = `tamper monitor, check from ${source}`;
    if (source === 'outside' && !isPublic && at === null) return notChecked(label, 'no payer visits this installation');
    if (at === null) return missing(label, `it never ran; ${REMEDY[source]}`);
    const when = `the last one was at ${new Date(at).toISOString()}`;
    return now - at > LATE_MS[source] ? wrong(label, `${when}; ${REMEDY[source]}`) : ok(label, when);
  };
  return [
    ok('tamper monitor (MONITOR_SECRET)'),
    findingOf('inside'),
    findingOf('outside'),
    approved.length > 0
      ? ok('provider’s script', `versions approved: ${approved.length}`)
      : missing('provider’s script', 'no version is approved yet; docs/pci.md says how'),
    ...findings.map((finding) => wrong(`pay page, seen from ${finding.source}`, formatFinding(finding))),
  ];
}

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
  const [appUrlAnswer, built, domainFile, boardingHook, transactionHook, mailHook, buildReport, monitor] =
    await Promise.all([
      ask('/app_url'),
      ask(builtPath),
      ask(domainAssociationPath),
      // No provider sends this body: the right address refuses it for its content, a wrong address answers 404.
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
  const address = appUrlAnswer?.ok ? ((await appUrlAnswer.json()) as { appUrl?: string }).appUrl : undefined;
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
    domainFileFinding(domainFile),
    boardingHook && boardingHook.status !== 404
      ? ok('webhook address for boarding')
      : wrong('webhook address for boarding', 'the Worker has another BOARDING_WEBHOOK_SECRET'),
    transactionHook && transactionHook.status !== 404
      ? ok('webhook address for transactions')
      : wrong('webhook address for transactions', 'the Worker has another TRANSACTION_WEBHOOK_SECRET'),
    mailWebhookFinding(MAIL_WEBHOOK_SECRET, mailHook),
    // 404 here means the right secret and an unknown build.
    buildReport?.status === 404
      ? ok('builder’s reports (BUILD_SECRET)')
      : wrong('builder’s reports (BUILD_SECRET)', 'the Worker has another secret; run npm run deploy again'),
    ...(await monitorFindings(MONITOR_SECRET, monitor, isPublic)),
    notChecked('build service', 'a call of its hook would start a build: publish something and watch /cms (step 6)'),
    notChecked('owner of the content area', `log in at ${APP_URL}/cms/login (step 5)`),
  ];
}
