import { createHash, randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import { mailApiKey } from '../credentials.ts';
import { webhookUrl } from '../webhooks.ts';
import type { SandboxEnv, World } from '../world.ts';
import { type MailEventSender, mailEvents } from './events.ts';
import { findMail, recipientsOf } from './mailbox.ts';

const addresses = z.union([z.string().transform((address) => [address]), z.array(z.string())]).pipe(
  z
    .array(z.string().regex(/^[^\s@]+@[^\s@]+$|<[^\s@]+@[^\s@]+>$/))
    .min(1)
    .max(50),
);

/**
 * [documented] `address` or `Name <address>`. [guessed] A name with any other characters is in quotes, because a comma
 * or a colon starts another address.
 */
const SENDER =
  /^(?:[^\s@<>]+@[^\s@<>]+|(?:[^\s"(),.:;<>@[\]\\][^"(),.:;<>@[\]\\\r\n]*|"[^"\\\r\n]+") <[^\s@<>]+@[^\s@<>]+>)$/;

/** [documented] A tag has at most 256 letters, digits, underscores and dashes. */
const TAG = /^[\w-]{1,256}$/;

const Email = z
  .object({
    from: z.string().regex(SENDER),
    to: addresses,
    // [documented] This can be one address or several.
    reply_to: addresses.optional(),
    subject: z.string(),
    text: z.string().optional(),
    html: z.string().optional(),
    tags: z
      .array(z.object({ name: z.string().regex(TAG), value: z.string().regex(TAG) }))
      .max(50)
      .default([]),
  })
  .refine((mail) => mail.text !== undefined || mail.html !== undefined, { error: 'Missing `html` or `text` field.' });

type NewMail = {
  from: string;
  to: string[];
  reply_to?: string[] | undefined;
  subject: string;
  text?: string | undefined;
  html?: string | undefined;
};

/** Stores an email from any sender and returns its id. */
export function storeMail(world: World, mail: NewMail, key: string | null = null, hash = ''): string {
  const id = randomUUID();
  world.store.run(
    'INSERT INTO mails (id, at_ms, sender, recipients, subject, text, html, idempotency_key, body_hash, reply_to) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    id,
    world.now(),
    mail.from,
    JSON.stringify(mail.to),
    mail.subject,
    mail.text ?? '',
    mail.html ?? '',
    key,
    hash,
    mail.reply_to?.join(', ') ?? '',
  );
  return id;
}

/** An idempotency key is valid for 24 hours. */
const KEY_LIFETIME_MS = 24 * 3_600_000;

/**
 * Simulates Resend's API. A repeated idempotency key with the same body returns the id of the stored email. With
 * another body, it is a conflict.
 */
export function mailRoutes(world: World, eventSender: MailEventSender): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  const refusal = (statusCode: number, name: string, message: string) => ({ statusCode, name, message });

  // [documented] Requires a bearer key. An idempotency key repeated within a day stores one email; another body is 409.
  app.post('/emails', async (c) => {
    const bearer = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (!bearer) return c.json(refusal(401, 'missing_api_key', 'Missing API key in the authorization header.'), 401);
    if (bearer !== mailApiKey) return c.json(refusal(403, 'invalid_api_key', 'API key is invalid.'), 403);
    const rawBody = await c.req.text();
    const hash = createHash('sha256').update(rawBody).digest('hex');
    const key = c.req.header('idempotency-key') ?? null;
    if (key !== null && (key.length < 1 || key.length > 256))
      return c.json(refusal(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.'), 400);
    const previousMail =
      key === null
        ? undefined
        : world.store.get<{ id: string; body_hash: string }>(
            'SELECT id, body_hash FROM mails WHERE idempotency_key = ? AND at_ms > ?',
            key,
            world.now() - KEY_LIFETIME_MS,
          );
    if (previousMail && previousMail.body_hash !== hash) {
      return c.json(
        refusal(
          409,
          'invalid_idempotent_request',
          'This idempotency key has been used on a request with a different payload.',
        ),
        409,
      );
    }
    if (previousMail) return c.json({ id: previousMail.id });
    const mail = Email.safeParse(parseJson(rawBody));
    if (!mail.success)
      return c.json(refusal(422, 'validation_error', mail.error.issues[0]?.message ?? 'Invalid body'), 422);
    const id = storeMail(world, mail.data, key, hash);
    eventSender.startEvents(id, mail.data.to, mail.data.tags);
    return c.json({ id });
  });

  // [documented] Returns an email as it was sent, with its tags and its last event.
  app.get('/emails/:id', (c) => {
    const bearer = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (bearer !== mailApiKey) return c.json(refusal(403, 'invalid_api_key', 'API key is invalid.'), 403);
    const mail = findMail(world, c.req.param('id'));
    if (!mail) return c.json(refusal(404, 'not_found', 'Email not found'), 404);
    const { id, sender, subject, text, html } = mail;
    const fields = {
      object: 'email',
      id,
      from: sender,
      to: recipientsOf(mail),
      subject,
      text,
      html,
      tags: eventSender.tags(id),
    };
    return c.json({ ...fields, created_at: new Date(mail.at_ms).toISOString(), last_event: eventSender.lastEvent(id) });
  });

  // [documented] Lists the account's webhooks, each with its address and its events.
  app.get('/webhooks', (c) => {
    const bearer = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (bearer !== mailApiKey) return c.json(refusal(403, 'invalid_api_key', 'API key is invalid.'), 403);
    const events = [...new Set(Object.keys(mailEvents).map((name) => `email.${name.replace('-for-now', '')}`))];
    const hook = { id: 'whk-of-the-sandbox', status: 'enabled', endpoint: webhookUrl(world, 'mail'), events };
    return c.json({ object: 'list', has_more: false, data: [hook] });
  });
  return app;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
