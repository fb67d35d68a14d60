import { operator } from '#shared/operator';
import { stopPath } from '#shared/paths';
import { ofCapability } from '#worker/clinic/of-clinic';
import type { Stop } from '#worker/data/reminders/stops';
import type { Deps } from '#worker/deps';
import { stopReminders, viewStop } from '#worker/domain/reminders/stop';
import { keepingLanguage, languageOf, otherPage, STATE_SHELL, shellIn } from '#worker/http/read/page-language';
import { filledPage } from '#worker/http/reply/page-template';
import { type C, page, type Routes, route } from '#worker/http/routes';

/**
 * Where a payer stops the reminders of a business: the address of the mail's `List-Unsubscribe`. Opening it changes
 * nothing, since scanners open all links of a mail; the mail program's own button posts here, and so does the page.
 */
export const stopRoutes: Routes = {
  'GET /mail/stop/:token': route({
    who: 'holder of a stop link',
    summary: 'Open the page to unsubscribe from payment reminders',
    answers: { 200: page, 404: page },
    handle: ({ c, deps }) => answer(c, deps, viewStop),
  }),
  'POST /mail/stop/:token': route({
    who: 'holder of a stop link',
    summary: 'Unsubscribe from payment reminders',
    bodyLimit: 1000,
    refuse: (c, status, _code, message) => c.text(message, status),
    answers: { 200: page, 404: page, 413: { media: 'text/plain' } },
    handle: ({ c, deps }) => answer(c, deps, stopReminders),
  }),
};

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
