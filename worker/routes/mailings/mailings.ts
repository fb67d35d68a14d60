import type { Context } from 'hono';
import type { Mailing, MailingReply } from '#shared/contracts/mailings';
import { MailingBody } from '#shared/contracts/mailings-request';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Loaded on demand: most calls of staff are of other things. */
const mailings = () => import('#worker/domain/mailings/mailing');

/** What is owed, and payment links for the payers of many invoices at once. */
export function mailingRoutes(app: App, depsOf: (c: C) => Deps): void {
  app.use(
    '/api/mailings',
    limitBody(16_000, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, '/api/owed', {
    GET: merchantOnly(depsOf, async (c, deps, { accountId }) =>
      c.json(await (await import('#worker/domain/pay-links/view-owed')).viewOwed(deps, accountId)),
    ),
  });
  route(app, '/api/mailings', {
    GET: merchantOnly(depsOf, async (c, deps, you) =>
      reply(c, await (await mailings()).viewMailing(deps, you.accountId)),
    ),
    POST: merchantOnly(depsOf, postMailing),
  });
  route(app, '/api/mailings/:id', {
    DELETE: merchantOnly(depsOf, async (c, deps, you) => {
      const mailing = await (await mailings()).stopOwnMailing(deps, you, c.req.param('id') ?? '');
      return mailing ? reply(c, mailing) : apiError(c, 404, 'not-found', 'There is no such mailing under way.');
    }),
  });
}

const reply = (c: C, mailing: Mailing | null) => c.json({ mailing } satisfies MailingReply);

async function postMailing(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, MailingBody);
  if ('refusal' in body) return body.refusal;
  const mailing = await (await mailings()).askForMailing(deps, you, body.data.id, body.data.invoices);
  if (mailing === 'busy')
    return apiError(c, 409, 'conflict', 'Links are just being emailed. Wait for them, or stop them.');
  return reply(c, mailing);
}
