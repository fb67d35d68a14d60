import * as z from 'zod/mini';
import { BusyReply, SaleReply, StartSaleBody, TerminalsReply } from '#shared/contracts/payments/terminals';
import { decimalFromCents, formatMoney } from '#shared/money';
import { AMOUNT_UNREADABLE } from '#shared/text/staff-words';
import { timeIn } from '#shared/words/formats';
import { viewOnlineBlock } from '#worker/domain/not-payable-reason';
import { settleAndMail } from '#worker/domain/payments/pay-outcome';
import { runTerminalSale, type StartOutcome, startTerminalSale } from '#worker/domain/terminals/sale';
import { presentSale, viewerEmailOf, viewTerminals, watchSale } from '#worker/domain/terminals/view-sale';
import { apiError } from '#worker/http/reply/errors';
import { acceptsLines, openReply, runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for sales on the card readers at a counter. */
export const terminalSaleRoutes: Routes = {
  'GET /api/counter-terminals': route({
    access: 'staff',
    summary: 'List card readers with their latest sales',
    answers: { 200: TerminalsReply },
    handle: getTerminals,
  }),
  'GET /api/sales/:saleId': route({
    access: 'staff',
    summary: 'Show a sale on a card reader',
    query: z.object({ invoice: z.optional(z.string()) }),
    answers: { 200: SaleReply },
    handle: getSale,
  }),
  'POST /api/terminals/:terminalId/sales': route({
    access: 'staff: collect',
    summary: 'Start a sale on a card reader',
    body: StartSaleBody,
    answers: { 200: { media: 'application/x-ndjson' }, 202: SaleReply },
    errors: [409, 503],
    errorFields: { 409: BusyReply },
    handle: postSale,
  }),
};

async function getTerminals({ c, deps, merchant }: StaffRequest): Promise<Response> {
  await deps.payments.refresh();
  const [view, block] = await Promise.all([viewTerminals(deps, merchant), viewOnlineBlock(deps, merchant.accountId)]);
  return c.json({ ...view, ...block } satisfies TerminalsReply);
}

async function getSale({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const name = c.req.param('saleId') ?? '';
  // A screen that lost its connection has only its own key and the invoice.
  const invoiceId = c.req.query('invoice');
  const watchedSale = await watchSale(
    deps,
    merchant,
    invoiceId === undefined ? { id: name } : { attemptKey: name, invoiceId },
  );
  if (!watchedSale) return apiError(c, 404, 'not-found', 'Sale not found.');
  if (watchedSale.dueCheck) runToCompletion(c, settleAndMail(deps, watchedSale.dueCheck));
  return c.json({ sale: watchedSale.sale } satisfies SaleReply);
}

async function postSale({ c, deps, merchant, body }: StaffRequest<typeof StartSaleBody>): Promise<Response> {
  const terminalId = c.req.param('terminalId') ?? '';
  const outcome = await startTerminalSale(deps, merchant, terminalId, body);
  if (outcome.kind !== 'started') return refuse(c, outcome);
  const viewer = await viewerEmailOf(deps, merchant);
  const reply: SaleReply = { sale: presentSale(deps, outcome.counter, viewer) };
  if (!outcome.isNew) return c.json(reply, 202);
  const work = runTerminalSale(deps, outcome.counter);
  runToCompletion(c, work);
  if (!acceptsLines(c)) return c.json(reply, 202);
  const readOutcome = async () => {
    const watchedSale = await watchSale(deps, merchant, { id: reply.sale.id });
    return { sale: watchedSale?.sale ?? reply.sale } satisfies SaleReply;
  };
  // While the client stays connected, the platform does not end the call 30 s after the response.
  return openReply({ firstLine: reply, work, outcome: readOutcome, pause: deps.pause });
}

function refuse(c: C, outcome: Exclude<StartOutcome, { kind: 'started' }>): Response {
  switch (outcome.kind) {
    case 'no-terminal':
      return apiError(c, 404, 'not-found', 'Terminal not found.');
    case 'not-found':
      return apiError(c, 404, 'not-found', 'No invoice found');
    case 'busy':
    case 'at-the-desk':
      return refuseBusy(c, outcome);
    case 'being-paid':
      return apiError(c, 409, 'being-paid', 'This invoice is being paid by its link. Nothing was started.');
    case 'already-paid':
      return apiError(c, 409, 'already-paid', 'This invoice is already paid. Nothing was started.');
    case 'pending':
      return apiError(c, 409, 'pending', 'A bank payment for this invoice is on its way. Nothing was started.');
    case 'amount-changed':
      return apiError(c, 409, 'amount-changed', 'The amount due has changed. Please choose the invoice again.');
    case 'frozen':
      return apiError(
        c,
        409,
        'amount-unclear',
        'The amount due has changed. Open the invoice and confirm what is owed.',
      );
    case 'part-refused':
      return apiError(c, 422, 'part-refused', outcome.message, { fields: ['part'] });
    case 'nothing-to-pay':
      return apiError(c, 409, 'nothing-to-pay', 'This invoice has no amount to pay.');
    case 'amount-unreadable':
      return apiError(c, 409, 'amount-unreadable', `${AMOUNT_UNREADABLE} Nothing was started.`);
    case 'not-payable-online':
      return apiError(c, 409, 'not-payable-online', 'This invoice cannot be paid here.');
    case 'crm-unavailable':
      c.header('retry-after', '30');
      return apiError(c, 503, 'crm-unavailable', 'We cannot confirm the amount right now. Nothing was started.');
    case 'closing':
      return apiError(
        c,
        409,
        'conflict',
        'This account is being closed, so no new payments are taken. Nothing was started.',
      );
    case 'not-started':
      c.header('retry-after', '5');
      return apiError(c, 503, 'internal', 'The sale could not be started. Nothing was charged. Please try again.');
  }
}

/** Reports the staff member and the invoice that occupy the card reader, and the time at which they began. */
function refuseBusy(c: C, outcome: Extract<StartOutcome, { kind: 'busy' | 'at-the-desk' }>): Response {
  const { terminal, attempt, timeZone } = outcome;
  const since = timeIn('en', attempt.createdAt, timeZone);
  const amount = formatMoney(attempt.amountCents, attempt.currency);
  const facts = [attempt.startedBy, attempt.invoiceNumber, amount].filter(Boolean).join(', ');
  const details: BusyReply = {
    busy: {
      terminal_id: terminal.terminalId,
      terminal_name: terminal.name,
      sale_id: attempt.id,
      started_by: attempt.startedBy,
      started_at: new Date(attempt.createdAt).toISOString(),
      invoice_number: attempt.invoiceNumber,
      amount: decimalFromCents(attempt.amountCents),
      currency: attempt.currency,
    },
  };
  return outcome.kind === 'busy'
    ? apiError(c, 409, 'terminal-busy', `${terminal.name} has been busy since ${since}: ${facts}.`, details)
    : apiError(c, 409, 'at-the-desk', `This invoice is at ${terminal.name} since ${since}: ${facts}.`, details);
}
