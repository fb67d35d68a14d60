import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { mailWebhookSecret } from '#sandbox/credentials';

export type MailEvent = {
  type: string;
  /** UTC ms. */
  at?: number;
  mail?: string;
  clinic?: number;
  providerId?: string;
  more?: object;
};

/** The webhook body of a mail service event. */
export const mailEventBody = ({
  type,
  at = Date.now(),
  mail = '',
  clinic = 0,
  providerId = 'em-1',
  more = {},
}: MailEvent): string =>
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

/** A signature of the Standard Webhooks scheme. */
export const signatureOf = (secret: string, id: string, seconds: number | string, body: string): string => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
};

/** The headers of a webhook that the mail service signs at `now`. A repeated `id` marks a repeated delivery. */
export function signedHeaders(
  body: string,
  { id = crypto.randomUUID() as string, secret = mailWebhookSecret, now = Date.now() } = {},
) {
  const seconds = String(Math.floor(now / 1000));
  return { 'svix-id': id, 'svix-timestamp': seconds, 'svix-signature': signatureOf(secret, id, seconds, body) };
}
