import type { Context } from 'hono';
import { FirstHourBody } from '#shared/contracts/first-hour-request';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { replyToMail } from '#worker/http/reply/invoice-mail';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Loaded on demand: a clinic has one first hour. */
const firstHour = () => import('#worker/domain/first-hour/first-hour');

/** The list of a clinic's first hour. */
export function firstHourRoutes(app: App, depsOf: (c: C) => Deps): void {
  const limit = limitBody(1000, (c) => apiError(c, 413, 'too-large', 'The request is too large.'));
  app.use('/api/first-hour', limit);
  route(app, '/api/first-hour', {
    GET: merchantOnly(depsOf, async (c, deps, you) => c.json(await (await firstHour()).viewFirstHour(deps, you))),
    PUT: merchantOnly(depsOf, putFirstHour),
  });
  route(app, '/api/first-hour/mails', {
    GET: merchantOnly(depsOf, async (c, deps, you) => c.json(await (await firstHour()).previewMails(deps, you))),
  });
  route(app, '/api/first-hour/test-link', { POST: merchantOnly(depsOf, postTestLink) });
}

async function putFirstHour(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, FirstHourBody);
  if ('refusal' in body) return body.refusal;
  const { is_ended, has_seen_mails } = body.data;
  const { decideFirstHour } = await firstHour();
  return c.json(
    await decideFirstHour(deps, you, {
      ...(is_ended === undefined ? {} : { isEnded: is_ended }),
      ...(has_seen_mails === undefined ? {} : { hasSeenMails: has_seen_mails }),
    }),
  );
}

async function postTestLink(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const outcome = await (await firstHour()).sendTestLink(deps, you);
  switch (outcome.kind) {
    case 'no-own-address':
      return apiError(c, 422, 'invalid', 'We know no email address of yours.');
    case 'no-terminal':
      return apiError(c, 409, 'conflict', 'There is no terminal for online payments yet.');
    case 'no-invoice':
      return apiError(
        c,
        409,
        'conflict',
        'There is no open invoice in USD yet. Make one in your CRM; it is here within a minute.',
      );
    default:
      return replyToMail(c, outcome);
  }
}
