import { createHmac, randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import { answerInvalidControlCall, InvalidControlCall, readBody, refuseForeignPages } from '../control-guard.ts';
import { mailWebhookSecret } from '../credentials.ts';
import { sentWebhooks, type Webhooks } from '../webhooks.ts';
import type { SandboxEnv, World } from '../world.ts';
import { findMail, recipientsOf } from './mailbox.ts';

type Tag = { name: string; value: string };

/** [documented] The service's event names, each with the additional data of its event. */
export const mailEvents = {
  sent: {},
  delivered: {},
  delivery_delayed: {},
  opened: {},
  clicked: {},
  bounced: { bounce: { message: 'The recipient does not exist.', type: 'Permanent', subType: 'General' } },
  'bounced-for-now': { bounce: { message: 'The mailbox is full.', type: 'Transient', subType: 'MailboxFull' } },
  failed: { failed: { reason: 'reached_daily_quota' } },
  suppressed: { suppressed: { message: 'The address is on the suppression list.', type: 'OnAccountSuppressionList' } },
  complained: {},
} as const;
export type MailEventName = keyof typeof mailEvents;

export type EventOptions = {
  /** Time of the event on the service's clock (ms). The default is now. */
  atMs?: number;
  /** Number of deliveries of the same message. */
  times?: number;
  /** Id of an earlier webhook message, to repeat it. */
  messageId?: string;
  isForged?: boolean;
  /** Age of the signature's timestamp, in seconds. */
  ageS?: number;
};

export type MailEventSender = ReturnType<typeof createMailEventSender>;

const WRONG_SECRET = 'whsec_dGhpcy1zZWNyZXQtYmVsb25ncy10by1zb21lYm9keS1lbHNl';

/** [documented] Signs id, time and body with HMAC-SHA-256, as Standard Webhooks specifies. */
function sign(secret: string, id: string, seconds: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'svix-id': id, 'svix-timestamp': String(seconds), 'svix-signature': `v1,${signature}` };
}

/** Events that follow an email to a test address, by local part (without a `+label`). */
const TEST_EVENTS: Record<string, MailEventName[]> = {
  delivered: ['sent', 'delivered'],
  bounced: ['sent', 'bounced'],
  complained: ['sent', 'delivered', 'complained'],
  delayed: ['sent', 'delivery_delayed', 'delivered'],
  suppressed: ['suppressed'],
  silent: [],
};

/** Sends the mail service's events: for every email if `deliversAll` is set, otherwise only for test addresses. */
export function createMailEventSender(
  world: World,
  webhooks: Webhooks,
  pause: (ms: number) => Promise<void>,
  deliversAll: boolean,
) {
  const tagsOf = (mailId: string): Tag[] =>
    JSON.parse(world.store.get<{ tags: string }>('SELECT tags FROM mail_news WHERE mail_id = ?', mailId)?.tags ?? '[]');

  const send = async (mailId: string, name: MailEventName, options: EventOptions = {}): Promise<boolean> => {
    const mail = findMail(world, mailId);
    if (!mail) return false;
    const { store } = world;
    const type = name === 'bounced-for-now' ? 'bounced' : name;
    const tags = tagsOf(mailId);
    store.run('UPDATE mail_news SET last_event = ? WHERE mail_id = ?', type, mailId);
    const to = recipientsOf(mail);
    // [documented] After a permanent bounce or a complaint, the service sends nothing more to the address.
    if (name === 'bounced' || name === 'complained')
      for (const address of to)
        store.run('INSERT OR IGNORE INTO suppressions (address) VALUES (?)', address.toLowerCase());
    const text = JSON.stringify({
      type: `email.${type}`,
      created_at: new Date(options.atMs ?? world.now()).toISOString(),
      data: {
        email_id: mailId,
        created_at: new Date(mail.at_ms).toISOString(),
        from: mail.sender,
        to,
        subject: mail.subject,
        tags: Object.fromEntries(tags.map((tag) => [tag.name, tag.value])),
        ...mailEvents[name],
      },
    });
    const id = options.messageId ?? `msg_${randomUUID().replaceAll('-', '')}`;
    const headers = () => {
      const seconds = Math.floor(world.now() / 1000) - (options.ageS ?? 0);
      return sign(options.isForged ? WRONG_SECRET : mailWebhookSecret, id, seconds, text);
    };
    const webhook = { kind: 'mail', subjectId: mailId, event: `email.${type}`, text, headers } as const;
    for (let n = 0; n < (options.times ?? 1); n += 1)
      await webhooks.send({ ...webhook, wirePath: '/emails', account: null });
    return true;
  };

  const sendAll = async (mailId: string, events: MailEventName[]) => {
    for (const name of events) {
      await pause(world.settings().mail_delay_ms);
      await send(mailId, name);
    }
  };

  return {
    send,
    /** Records that the service accepted an email, and starts its events. */
    startEvents(mailId: string, to: string[], tags: Tag[]): void {
      world.store.run(
        'INSERT INTO mail_news (mail_id, tags, last_event) VALUES (?, ?, ?)',
        mailId,
        JSON.stringify(tags),
        'sent',
      );
      const address = (/<([^>]+)>/.exec(to[0] ?? '')?.[1] ?? to[0] ?? '').toLowerCase();
      const isSuppressed = world.store.get('SELECT 1 FROM suppressions WHERE address = ?', address) !== undefined;
      const events = isSuppressed ? TEST_EVENTS.suppressed : TEST_EVENTS[/^[a-z]+(?=[@+])/.exec(address)?.[0] ?? ''];
      if (events) void sendAll(mailId, events);
      else if (deliversAll) void sendAll(mailId, ['sent', 'delivered']);
    },
    /** [documented] Returns the tags of an email, as they were sent. */
    tags: tagsOf,
    /** [documented] Returns the last event of an email. */
    lastEvent: (mailId: string): string =>
      world.store.get<{ last_event: string }>('SELECT last_event FROM mail_news WHERE mail_id = ?', mailId)
        ?.last_event ?? 'sent',
  };
}

const EventBody = z.strictObject({
  /** The service's id of the email. */
  id: z.string(),
  do: z.enum(Object.keys(mailEvents) as MailEventName[]),
  /** Time of the event. Events may come in any order. */
  at: z.iso.datetime().optional(),
  times: z.number().int().min(1).max(20).optional(),
  message_id: z.string().optional(),
  forged: z.boolean().optional(),
  age_s: z.number().int().optional(),
});

/** Control calls that make the mail service send an event. Each returns all webhooks about that email. */
export function controlMailRoutes(world: World, eventSender: MailEventSender): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.onError(answerInvalidControlCall);
  app.use('/_sandbox/mail', refuseForeignPages);
  app.post('/_sandbox/mail', async (c) => {
    const { id, do: name, at, times, message_id, forged, age_s } = await readBody(c, EventBody);
    const options = {
      ...(at && { atMs: Date.parse(at) }),
      ...(times && { times }),
      ...(message_id && { messageId: message_id }),
      ...(forged && { isForged: forged }),
      ...(age_s !== undefined && { ageS: age_s }),
    };
    if (!(await eventSender.send(id, name, options))) throw new InvalidControlCall('there is no mail with this id');
    return c.json(sentWebhooks(world, 'mail', id));
  });
  return app;
}
