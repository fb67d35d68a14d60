import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { mailWebhookSecret } from '#sandbox/credentials';

export type News = {
  type: string;
  /** UTC ms. */
  at?: number;
  mail?: string;
  clinic?: number;
  providerId?: string;
  more?: object;
};

/** An event of the mail service, as its webhook brings it. */
export const newsOf = ({
  type,
  at = Date.now(),
  mail = '',
  clinic = 0,
  providerId = 'em-1',
  more = {},
}: News): string =>
  JSON.stringify({
    type,
    created_at: new Date(at).toISOString(),
    data: {
      email_id: providerId,
      subject: 'Receipt',
      to: ['a@b.example'],
      tags: { mail, clinic: String(clinic) },
      ...more,
    },
  });

/** One of Standard Webhooks' signatures. */
export const signatureOf = (secret: string, id: string, seconds: number | string, body: string): string => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
};

/** The headers of a webhook that the mail service signed now. `id`: one that was sent before is a repeat. */
export function newsHeaders(
  body: string,
  { id = crypto.randomUUID() as string, secret = mailWebhookSecret, now = Date.now() } = {},
) {
  const seconds = String(Math.floor(now / 1000));
  return { 'svix-id': id, 'svix-timestamp': seconds, 'svix-signature': signatureOf(secret, id, seconds, body) };
}
