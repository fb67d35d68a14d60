import { createHmac } from 'node:crypto';
import { type Finding, ok, wrong } from './finding.ts';
import { emptySetting } from './setting-sources.ts';

const WHAT = 'webhook of mails (MAIL_WEBHOOK_SECRET)';
/** It is no event, so that the right secret is refused for the content. */
export const NO_EVENT = 'nothing';

/** A call that the newest of these secrets has signed. */
export function signedMailCall(secrets: string, now = Date.now()): RequestInit {
  const [id, seconds] = ['msg_doctor', String(Math.floor(now / 1000))];
  const key = Buffer.from(secrets.split(',')[0]?.slice('whsec_'.length) ?? '', 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${NO_EVENT}`).digest('base64');
  const headers = { 'svix-id': id, 'svix-timestamp': seconds, 'svix-signature': `v1,${signature}` };
  return { method: 'POST', headers, body: NO_EVENT };
}

/** Whether the Worker has this secret, from its answer to a signed call. */
export function mailWebhookFinding(secrets: string, answer: Response | null): Finding {
  if (secrets === '') return { ...emptySetting('MAIL_WEBHOOK_SECRET'), what: WHAT };
  return answer?.status === 400 ? ok(WHAT) : wrong(WHAT, 'the Worker has another secret; run npm run deploy again');
}
