import type { Context } from 'hono';
import { PayerLanguageBody } from '#shared/contracts/payer-language-request';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { setPayerLanguage, viewPayerLanguage } from '#worker/domain/pay-page/payer-language';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** The language of payers who tell none themselves. */
export function payerLanguageRoutes(app: App, depsOf: (c: C) => Deps): void {
  app.use(
    '/api/payer-language',
    limitBody(4000, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, '/api/payer-language', {
    GET: merchantOnly(depsOf, async (c, deps, you) => c.json(await viewPayerLanguage(deps, you))),
    PUT: merchantOnly(depsOf, putPayerLanguage),
  });
}

async function putPayerLanguage(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, PayerLanguageBody);
  if ('refusal' in body) return body.refusal;
  return c.json(await setPayerLanguage(deps, you, body.data.language));
}
