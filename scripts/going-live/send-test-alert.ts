import type { Settings } from '#worker/env';
import { createOperatorChannel } from '#worker/vendors/outgoing-webhooks/outgoing-webhooks';
import { createResend } from '#worker/vendors/resend/resend';
import { type Finding, missing, ok, wrong } from './finding.ts';

const TEXT = 'This is a test of the alerts. Nothing is wrong.';

/** Sends one test alert by mail and by webhook, as the Worker would. `at`: UTC ms. */
export async function sendTestAlert(settings: Settings, at: number): Promise<Finding[]> {
  return [await mailed(settings, at), await posted(settings, at)];
}

async function mailed(settings: Settings, at: number): Promise<Finding> {
  const { ALERT_MAIL_TO: to, MAIL_API_BASE: baseUrl, MAIL_API_KEY: apiKey, MAIL_FROM: from } = settings;
  const what = 'alert by mail (ALERT_MAIL_TO)';
  if (to === '') return missing(what, 'nobody gets alerts by mail');
  const letter = { to, subject: 'Test alert', text: TEXT, html: `<p>${TEXT}</p>` };
  const result = await createResend({ baseUrl, apiKey, from, timeoutMs: 10_000 })
    .send({ ...letter, idempotencyKey: `test-alert-${at}`, clinic: 0 })
    .catch(() => 'not answered');
  return result === 'refused' || result === 'not answered'
    ? wrong(what, `the mail service has ${result} it`)
    : ok(what, `sent to ${to}`);
}

async function posted(settings: Settings, at: number): Promise<Finding> {
  const what = 'alert by webhook (ALERT_WEBHOOK_URL)';
  const result = await createOperatorChannel(settings).post({
    text: TEXT,
    event: 'test',
    key: 'test',
    n: 1,
    first_at: new Date(at).toISOString(),
    url: `${settings.APP_URL}/operator`,
  });
  if (result === 'none') return missing(what, 'no address gets alerts');
  return result === 'sent' ? ok(what) : wrong(what, `the receiver is ${result}`);
}
