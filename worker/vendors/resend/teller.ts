import * as z from 'zod/mini';
import type { Delivery } from '#shared/contracts/mail-values';
import { callVendor, parseJson } from '../http.ts';
import type { MailNews, MailTeller } from './port.ts';
import { isSigned } from './signature.ts';

const text = z._default(z.string().check(z.maxLength(256)), '');
/** The documents show tags as a list, the service's own library as an object. */
const Tags = z.union([z.record(z.string(), z.string()), z.array(z.object({ name: z.string(), value: z.string() }))]);
const Event = z.object({
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
const Asked = z.object({ last_event: z.string().check(z.maxLength(64)) });

/** Who opened a mail or followed its link got it; neither is asked for, and no more is made of it. */
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

/** What a word of the service says. A full mailbox comes back too, and may take the next mail. */
function newsOf(type: string, bounce = ''): MailNews {
  const delivery = DELIVERIES[type] ?? null;
  const isFinal = delivery === 'bounced' ? !/^(transient|undetermined)$/i.test(bounce) : true;
  return { type, delivery, isFinal: isFinal && ['bounced', 'suppressed', 'complained'].includes(delivery ?? '') };
}

function ours(tags: z.output<typeof Tags> | null | undefined): { clinic: number; id: string } | null {
  const pairs = Array.isArray(tags) ? tags.map(({ name, value }) => [name, value]) : Object.entries(tags ?? {});
  const { mail = '', clinic = '' } = Object.fromEntries(pairs) as Partial<Record<string, string>>;
  return mail !== '' && /^\d{1,10}$/.test(clinic) ? { id: mail, clinic: Number(clinic) } : null;
}

const TIMEOUT_MS = 10_000;

type Settings = { MAIL_API_BASE: string; MAIL_API_KEY: string; MAIL_WEBHOOK_SECRET: string };

/** Reads the webhooks of Resend, which Svix signs, and asks for a mail's last event. */
export function createTeller({ MAIL_API_BASE, MAIL_API_KEY, MAIL_WEBHOOK_SECRET: secrets }: Settings): MailTeller {
  return {
    async read(signed, body, now) {
      if (secrets === '') return 'off';
      if (!(await isSigned(secrets, signed, body, now))) return 'forged';
      const event = Event.safeParse(parseJson(new TextDecoder().decode(body)));
      if (!event.success) return 'unreadable';
      const { type, created_at, data } = event.data;
      const at = Date.parse(created_at);
      return {
        ...newsOf(type.replace(/^email\./, ''), data.bounce?.type),
        type,
        id: signed.id,
        at: Number.isNaN(at) ? Number(signed.timestamp) * 1000 : at,
        providerId: data.email_id,
        mail: ours(data.tags),
      };
    },
    async ask(providerId) {
      const headers = { authorization: `Bearer ${MAIL_API_KEY}` };
      const reply = await callVendor(
        `${MAIL_API_BASE}/emails/${encodeURIComponent(providerId)}`,
        { headers },
        TIMEOUT_MS,
      );
      const asked = reply.status === 200 ? Asked.safeParse(parseJson(reply.text)) : null;
      // Without its kind a bounce says nothing of the address.
      return asked?.success ? newsOf(asked.data.last_event, 'undetermined') : null;
    },
  };
}
