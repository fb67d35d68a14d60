import {
  Forecast,
  ForecastQuery,
  InvoiceReminders,
  InvoiceRemindersBody,
  Reminders,
  RemindersBody,
  ReminderTestBody,
  TestSent,
} from '#shared/contracts/payments/reminders';
import { operator } from '#shared/operator';
import { stopPath } from '#shared/paths';
import { depsOfCapability } from '#worker/clinic/capability-keys';
import type { ReminderOptOut } from '#worker/data/reminders/queue';
import type { Deps } from '#worker/deps';
import { setReminderExclusion, viewInvoiceReminders } from '#worker/domain/reminders/invoice';
import { forecastReminders, saveReminders, sendReminderTest, viewReminders } from '#worker/domain/reminders/settings';
import { stopReminders, viewStop } from '#worker/domain/reminders/stop';
import { keepLanguage, languageOf, otherPages, STATE_SHELL, shellPathOf } from '#worker/http/read/browser';
import { apiError } from '#worker/http/reply/errors';
import { JUST_MAILED_TEXT } from '#worker/http/reply/invoice-mail';
import { sendFilledPage } from '#worker/http/reply/page-template';
import { type C, htmlPage, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for the reminder schedule of an account, and for the invoices excluded from it. */
export const reminderRoutes: Routes = {
  'GET /api/reminders': route({
    access: 'staff: configure',
    summary: 'Show the reminder schedule',
    answers: { 200: Reminders },
    handle: async ({ c, deps, merchant: caller }) => c.json(await viewReminders(deps, caller)),
  }),
  'PUT /api/reminders': route({
    access: 'staff: configure',
    summary: 'Replace the reminder schedule',
    body: RemindersBody,
    answers: { 200: Reminders },
    handle: putReminders,
  }),
  'GET /api/reminders/forecast': route({
    access: 'staff: configure',
    summary: 'Forecast the reminders of the next business day',
    query: ForecastQuery,
    answers: { 200: Forecast },
    handle: getForecast,
  }),
  'POST /api/reminders/test': route({
    access: 'staff: configure',
    summary: 'Send yourself a test reminder',
    body: ReminderTestBody,
    answers: { 200: TestSent, 202: TestSent },
    errors: [409, 429],
    handle: postTest,
  }),
  'GET /api/invoices/:id/reminders': route({
    access: 'staff',
    summary: 'Show the reminders of an invoice',
    answers: { 200: InvoiceReminders },
    handle: async ({ c, deps, merchant: caller }) =>
      replyOrNotFound(c, await viewInvoiceReminders(deps, caller, idOf(c))),
  }),
  'PUT /api/invoices/:id/reminders': route({
    access: 'staff: configure',
    summary: 'Exclude an invoice from reminders, or include it again',
    body: InvoiceRemindersBody,
    answers: { 200: InvoiceReminders },
    handle: putInvoice,
  }),
};

const idOf = (c: C) => c.req.param('id') ?? '';
const replyOrNotFound = (c: C, view: object | null) =>
  view ? c.json(view) : apiError(c, 404, 'not-found', 'No invoice found');

async function putReminders({
  c,
  deps,
  merchant: caller,
  body,
}: StaffRequest<typeof RemindersBody>): Promise<Response> {
  return c.json(await saveReminders(deps, caller, body.steps));
}

async function getForecast({
  c,
  deps,
  merchant: caller,
  query,
}: StaffRequest<unknown, typeof ForecastQuery>): Promise<Response> {
  return c.json(await forecastReminders(deps, caller, query.steps));
}

async function postTest({ c, deps, merchant: caller, body }: StaffRequest<typeof ReminderTestBody>): Promise<Response> {
  const outcome = await sendReminderTest(deps, caller, body.when);
  switch (outcome.kind) {
    case 'sent':
    case 'queued':
      return c.json({ to: outcome.to }, outcome.kind === 'sent' ? 200 : 202);
    case 'no-invoice':
      return apiError(c, 409, 'conflict', 'There is no open invoice for an example.');
    case 'no-own-address':
    case 'refused':
      return apiError(c, 422, 'invalid', 'No email can be sent to your own address.');
    case 'too-many':
      return apiError(c, 429, 'too-many', JUST_MAILED_TEXT);
  }
}

async function putInvoice({
  c,
  deps,
  merchant: caller,
  body,
}: StaffRequest<typeof InvoiceRemindersBody>): Promise<Response> {
  return replyOrNotFound(c, await setReminderExclusion(deps, caller, idOf(c), body.is_excluded));
}

/**
 * Unsubscribes a payer from the reminders of a business, at the URL in `List-Unsubscribe`. GET changes nothing, because
 * scanners open all links in an email. The unsubscribe button of the mail program and the page both POST here.
 */
export const stopRoutes: Routes = {
  'GET /mail/stop/:token': route({
    access: 'holder of a stop link',
    summary: 'Open the page to unsubscribe from payment reminders',
    answers: { 200: htmlPage, 404: htmlPage },
    handle: ({ c, deps }) => sendStopPage(c, deps, viewStop),
  }),
  'POST /mail/stop/:token': route({
    access: 'holder of a stop link',
    summary: 'Unsubscribe from payment reminders',
    bodyLimit: 1000,
    refuse: (c, status, _code, message) => c.text(message, status),
    answers: { 200: htmlPage, 404: htmlPage, 413: { media: 'text/plain' } },
    handle: ({ c, deps }) => sendStopPage(c, deps, stopReminders),
  }),
};

async function sendStopPage(
  c: C,
  requestDeps: Deps,
  action: (deps: Deps, token: string) => Promise<ReminderOptOut | null>,
): Promise<Response> {
  const token = c.req.param('token') ?? '';
  const deps = depsOfCapability(requestDeps, token);
  const stop = deps && (await action(deps, token));
  const language = languageOf(c, stop?.payerLanguage);
  const { supportPhone: phone, supportEmail: email } = operator;
  return sendFilledPage(
    c,
    shellPathOf(STATE_SHELL, language),
    {
      state: stop ? (stop.stoppedAt === null ? 'reminders' : 'reminders-stopped') : 'unknown',
      texts: {
        business: null,
        number: null,
        customer: null,
        company: null,
        paymentAmount: null,
        paymentDay: null,
        phone,
        email,
        sender: stop?.business ?? null,
      },
      links: {
        tel: `tel:${phone.replace(/[^\d+]/g, '')}`,
        mail: `mailto:${email}`,
        receipt: null,
        self: keepLanguage(c, stopPath(token)),
        ...otherPages(c, language),
      },
    },
    { status: stop ? 200 : 404 },
  );
}
