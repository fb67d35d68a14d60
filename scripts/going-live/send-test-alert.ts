import type { Settings } from '#worker/env';
import { createOperatorChannel } from '#worker/vendors/outgoing-webhooks/outgoing-webhooks';
import { createResend } from '#worker/vendors/resend/resend';
import { type Finding, missing, ok, wrong } from './finding.ts';

const TEXT = 'This is a test of the alerts. Nothing is wrong.';

/** Sends one test alert by mail and by webhook, as the Worker would. `at`: UTC ms. */
export async function sendTestAlert(settings: Settings, at: number): Promise<Finding[]> {
  return [await alertByMail(settings, at), await alertByWebhook(settings, at)];
}

async function alertByMail(settings: Settings, at: number): Promise<Finding> {
  const { ALERT_MAIL_TO: to, MAIL_API_BASE: baseUrl, MAIL_API_KEY: apiKey, MAIL_FROM: from } = settings;
  const label = 'alert by mail (ALERT_MAIL_TO)';
  if (to === '') return missing(label, 'no address receives alerts by mail');
  const message = { to, subject: 'Test alert', text: TEXT, html: `<p>${TEXT}</p>` };
  const result = await createResend({ baseUrl, apiKey, from, timeoutMs: 10_000 })
    .send({ ...message, idempotencyKey: `test-alert-${at}`, clinic: 0 })
    .catch(() => 'not answered');
  return result === 'refused' || result === 'not answered'
    ? wrong(label, `the mail service has ${result} it`)
    : ok(label, `sent to ${to}`);
}

async function alertByWebhook(settings: Settings, at: number): Promise<Finding> {
  const label = 'alert by webhook (ALERT_WEBHOOK_URL)';
  const result = await createOperatorChannel(settings).post({
    text: TEXT,
    event: 'test',
    key: 'test',
    n: 1,
    first_at: new Date(at).toISOString(),
    url: `${settings.APP_URL}/operator`,
  });
  if (result === 'none') return missing(label, 'no address receives alerts');
  return result === 'sent' ? ok(label) : wrong(label, `the receiver is ${result}`);
}
