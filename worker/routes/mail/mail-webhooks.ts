import type { Context } from 'hono';
import { mailLimits } from '#shared/limits';
import type { Deps, Env } from '#worker/deps';
import { countStranger } from '#worker/domain/audit/refusals';
import { hearMailService } from '#worker/domain/mail/hear';
import { limitBody } from '#worker/http/middleware/limit-body';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

const PATH = '/api/webhooks/mail';

/** What the mail service tells of mails that it took. Its signature is over the bytes, so they are read before any parse. */
export function mailWebhookRoutes(app: App, depsOf: (c: C) => Deps): void {
  app.use(
    PATH,
    limitBody(mailLimits.webhook, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, PATH, { POST: (c) => postMailEvent(c, depsOf(c)) });
}

async function postMailEvent(c: C, deps: Deps): Promise<Response> {
  const header = (name: string) => c.req.header(`svix-${name}`) ?? '';
  const signed = { id: header('id'), timestamp: header('timestamp'), signature: header('signature') };
  const outcome = await hearMailService(deps, signed, new Uint8Array(await c.req.arrayBuffer()));
  switch (outcome) {
    case 'heard':
      return c.body(null, 200);
    case 'off':
      return apiError(c, 404, 'not-found', 'Not found.');
    case 'forged':
      await countStranger(deps, 'webhook.forged', PATH);
      return apiError(c, 401, 'unauthorized', 'The signature is not good.');
    case 'unreadable':
      return apiError(c, 400, 'bad-request', 'The request could not be read.');
  }
}
