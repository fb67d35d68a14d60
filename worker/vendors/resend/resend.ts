import * as z from 'zod/mini';
import type { Delivery } from '#shared/contracts/lists/mail-values';
import { callVendor, parseJson } from '../http.ts';
import type { Mailer, MailStatus, MailTracking, SignatureHeaders } from './port.ts';

const Refusal = z.object({ name: z.string() });
const Accepted = z.object({ id: z.string().check(z.regex(/^[\w-]{1,64}$/)) });

/** The pattern of valid tags. The service refuses an email with any other tag. */
const TAG = /^[\w-]{1,256}$/;

/** Characters of a display name that need no quotes. */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}'’&+/!-][\p{L}\p{M}\p{N}'’&+/! -]*$/u;
const MAX_NAME_LENGTH = 120;

/**
 * Replaces the name in `Name <address>`. Characters that end a quoted name are replaced too, so that a name can never
 * become an address or a header.
 */
function senderWithName(from: string, name: string): string {
  const safeName = [...name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/["\\<>]/g, "'")]
    .slice(0, MAX_NAME_LENGTH)
    .join('')
    .trim();
  const address = from.slice(from.lastIndexOf('<'));
  if (safeName === '') return from;
  return `${PLAIN_NAME.test(safeName) ? safeName : `"${safeName}"`} ${address}`;
}

export type ResendOptions = { baseUrl: string; apiKey: string; from: string; timeoutMs: number };

/**
 * Sends mail through Resend's API. The API accepts JSON, so a name from the CRM can never become a header. The
 * idempotency key prevents a second email if a call is repeated. Each event contains the tags, so it can be matched to
 * its email even if the response to this call was lost.
 */
export function createResend({ baseUrl, apiKey, from, timeoutMs }: ResendOptions): Mailer {
  return {
    async send({ to, subject, text, html, idempotencyKey, clinic, headers, senderName, replyTo }) {
      const names = { mail: idempotencyKey, clinic: String(clinic) };
      const tags = Object.entries(names).map(([name, value]) => ({ name, value }));
      const reply = await callVendor(
        `${baseUrl}/emails`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${apiKey}`,
            'content-type': 'application/json',
            'idempotency-key': idempotencyKey,
          },
          // [documented] `headers` are the headers of the email. JSON omits undefined fields.
          body: JSON.stringify({
            from: senderName ? senderWithName(from, senderName) : from,
            to: [to],
            reply_to: replyTo,
            subject,
            text,
            html,
            headers,
            ...(TAG.test(idempotencyKey) && { tags }),
          }),
        },
        timeoutMs,
      );
      if (reply.status >= 200 && reply.status < 300) return Accepted.safeParse(parseJson(reply.text)).data ?? 'sent';
      // An earlier email with this key was accepted. Its content has changed since, but no second one is needed.
      const refusal = Refusal.safeParse(parseJson(reply.text)).data;
      if (reply.status === 409 && refusal?.name === 'invalid_idempotent_request') return 'sent';
      if (reply.status === 422 || reply.status === 400) return 'refused';
      throw new Error(`mail HTTP ${reply.status}`);
    },
  };
}

/** The maximum clock difference (s) in both directions, against replayed messages. */
const TOLERANCE_S = 5 * 60;
const PREFIX = 'whsec_';

/**
 * True if a webhook was signed with one of these secrets (`whsec_…`, separated by commas), per Standard Webhooks. Any
 * match of a secret with a signature counts, so that a secret can be rotated while messages are in transit.
 */
export async function isSigned(
  secrets: string,
  { id, timestamp, signature }: SignatureHeaders,
  body: Uint8Array<ArrayBuffer>,
  now: number,
): Promise<boolean> {
  if (id === '' || id.length > 256 || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_S) return false;
  const signatures = signature
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .slice(0, 8)
    .flatMap((part) => decodeBase64(part.slice(3)) ?? []);
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(prefix.length + body.length);
  message.set(prefix);
  message.set(body, prefix.length);
  for (const secret of secrets.split(',')) {
    const raw = decodeBase64(secret.slice(PREFIX.length));
    if (!raw) continue;
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    // The platform compares in constant time.
    for (const candidate of signatures) if (await crypto.subtle.verify('HMAC', key, candidate, message)) return true;
  }
  return false;
}

/** Decodes base64. Null if the text is not base64. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

const text = z._default(z.string().check(z.maxLength(256)), '');
/** The documentation shows tags as a list; the service's own library shows them as an object. */
const Tags = z.union([z.record(z.string(), z.string()), z.array(z.object({ name: z.string(), value: z.string() }))]);
const WebhookEvent = z.object({
  type: z.string().check(z.minLength(1), z.maxLength(64)),
  created_at: text,
  data: z._default(
    z.object({
      email_id: text,
      tags: z.optional(z.nullable(z.catch(Tags, {}))),
      bounce: z.optional(z.nullable(z.object({ type: text }))),
    }),
    { email_id: '' },
  ),
});
const EmailReply = z.object({ last_event: z.string().check(z.maxLength(64)) });

/** An opened or clicked email counts as delivered. We do not subscribe to these events, nor use their other fields. */
const DELIVERIES: Record<string, Delivery> = {
  sent: 'accepted',
  delivery_delayed: 'delayed',
  delivered: 'delivered',
  opened: 'delivered',
  clicked: 'delivered',
  bounced: 'bounced',
  failed: 'failed',
  suppressed: 'suppressed',
  complained: 'complained',
};

/** Maps an event type. A full mailbox also bounces, but it may accept the next email, so that is not final. */
function mailStatusOf(type: string, bounce = ''): MailStatus {
  const delivery = DELIVERIES[type] ?? null;
  const isFinal = delivery === 'bounced' ? !/^(transient|undetermined)$/i.test(bounce) : true;
  return { type, delivery, isFinal: isFinal && ['bounced', 'suppressed', 'complained'].includes(delivery ?? '') };
}

function mailOfTags(tags: z.output<typeof Tags> | null | undefined): { clinic: number; id: string } | null {
  const pairs = Array.isArray(tags) ? tags.map(({ name, value }) => [name, value]) : Object.entries(tags ?? {});
  const { mail = '', clinic = '' } = Object.fromEntries(pairs) as Partial<Record<string, string>>;
  return mail !== '' && /^\d{1,10}$/.test(clinic) ? { id: mail, clinic: Number(clinic) } : null;
}

const TIMEOUT_MS = 10_000;

type Settings = { MAIL_API_BASE: string; MAIL_API_KEY: string; MAIL_WEBHOOK_SECRET: string };

/** Reads Resend's webhooks, which Svix signs, and queries the last event of an email. */
export function createMailTracking({
  MAIL_API_BASE,
  MAIL_API_KEY,
  MAIL_WEBHOOK_SECRET: secrets,
}: Settings): MailTracking {
  return {
    async read(signatureHeaders, body, now) {
      if (secrets === '') return 'off';
      if (!(await isSigned(secrets, signatureHeaders, body, now))) return 'forged';
      const event = WebhookEvent.safeParse(parseJson(new TextDecoder().decode(body)));
      if (!event.success) return 'unreadable';
      const { type, created_at, data } = event.data;
      const at = Date.parse(created_at);
      return {
        ...mailStatusOf(type.replace(/^email\./, ''), data.bounce?.type),
        type,
        id: signatureHeaders.id,
        at: Number.isNaN(at) ? Number(signatureHeaders.timestamp) * 1000 : at,
        providerId: data.email_id,
        mail: mailOfTags(data.tags),
      };
    },
    async readLastEvent(providerId) {
      const headers = { authorization: `Bearer ${MAIL_API_KEY}` };
      const reply = await callVendor(
        `${MAIL_API_BASE}/emails/${encodeURIComponent(providerId)}`,
        { headers },
        TIMEOUT_MS,
      );
      const email = reply.status === 200 ? EmailReply.safeParse(parseJson(reply.text)) : null;
      // Without its type, a bounce proves nothing about the address.
      return email?.success ? mailStatusOf(email.data.last_event, 'undetermined') : null;
    },
  };
}
