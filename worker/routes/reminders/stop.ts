import type { Context } from 'hono';
import { operator } from '#shared/operator';
import { stopPath } from '#shared/paths';
import { ofCapability } from '#worker/clinic/of-clinic';
import type { Stop } from '#worker/data/reminders/stops';
import type { Deps, Env } from '#worker/deps';
import { stopReminders, viewStop } from '#worker/domain/reminders/stop';
import { limitBody } from '#worker/http/middleware/limit-body';
import { keepingLanguage, languageOf, otherPage, STATE_SHELL, shellIn } from '#worker/http/read/page-language';
import { filledPage } from '#worker/http/reply/page-template';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/**
 * Where a payer stops the reminders of a business: the address of the mail's `List-Unsubscribe`. Opening it changes
 * nothing, since scanners open all links of a mail; the mail program's own button posts here, and so does the page.
 */
export function stopRoutes(app: App, depsOf: (c: C) => Deps): void {
  app.use(
    '/mail/stop/:token',
    limitBody(1000, (c) => c.text('The request is too large.', 413)),
  );
  route(app, '/mail/stop/:token', {
    GET: (c) => answer(c, depsOf(c), viewStop),
    POST: (c) => answer(c, depsOf(c), stopReminders),
  });
}

async function answer(c: C, asked: Deps, act: (deps: Deps, token: string) => Promise<Stop | null>): Promise<Response> {
  const token = c.req.param('token') ?? '';
  const deps = ofCapability(asked, token);
  const stop = deps && (await act(deps, token));
  const language = languageOf(c, stop?.payerLanguage);
  const { supportPhone: phone, supportEmail: email } = operator;
  return filledPage(
    c,
    shellIn(STATE_SHELL, language),
    {
      state: stop ? (stop.stoppedAt === null ? 'reminders' : 'reminders-stopped') : 'unknown',
      texts: {
        ...{ business: null, number: null, customer: null, company: null, amount: null, due: null, paidOn: null },
        ...{ phone, email, sender: stop?.business ?? null },
      },
      links: {
        tel: `tel:${phone.replace(/[^\d+]/g, '')}`,
        mail: `mailto:${email}`,
        receipt: null,
        self: keepingLanguage(c, stopPath(token)),
        other: otherPage(c, language),
      },
    },
    { status: stop ? 200 : 404 },
  );
}
