import { mailLimits } from '#shared/limits';
import { countStranger } from '#worker/domain/audit/refusals';
import { hearMailService } from '#worker/domain/mail/hear';
import { apiError } from '#worker/http/reply/errors';
import { nothing, type PublicRequest, type Routes, route } from '#worker/http/routes';

const PATH = '/api/webhooks/mail';

/** What the mail service tells of mails that it took. Its signature is over the bytes, so they are read before any parse. */
export const mailWebhookRoutes: Routes = {
  'POST /api/webhooks/mail': route({
    who: 'provider webhook',
    summary: 'Receive a delivery event from the email service',
    body: { media: 'application/json' },
    bodyLimit: mailLimits.webhook,
    answers: { 200: nothing },
    errors: [400, 401],
    handle: postMailEvent,
  }),
};

async function postMailEvent({ c, deps }: PublicRequest): Promise<Response> {
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
