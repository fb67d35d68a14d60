import {
  DecidePartsBody,
  InvoiceParts,
  OpenPartsBody,
  PartsSetting,
  PartsSettingBody,
} from '#shared/contracts/payments/installments';
import { formatMoney, ONLINE_CURRENCY } from '#shared/money';
import { AMOUNT_UNREADABLE } from '#shared/text/staff-words';
import type { Deps } from '#worker/deps';
import type { DecidePartsOutcome } from '#worker/domain/installments/decide-installments';
import { decideParts } from '#worker/domain/installments/decide-installments';
import {
  type ClosePartsOutcome,
  closeParts,
  findTakesParts,
  type OpenPartsOutcome,
  openParts,
  switchParts,
} from '#worker/domain/installments/open-and-close';
import { viewParts } from '#worker/domain/installments/view-installments';
import type { Merchant } from '#worker/domain/merchants/session';
import { refuseInvalid } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type C, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for payment in parts: the account setting, and opening, closing or deciding on the parts of an invoice. */
export const partRoutes: Routes = {
  'GET /api/parts': route({
    access: 'staff: oversee',
    summary: 'Show whether installments are enabled',
    answers: { 200: PartsSetting },
    handle: getSetting,
  }),
  'PUT /api/parts': route({
    access: 'staff: configure',
    summary: 'Enable or disable installments',
    body: PartsSettingBody,
    answers: { 200: PartsSetting },
    handle: putSetting,
  }),
  'GET /api/invoices/:id/parts': route({
    access: 'staff',
    summary: 'Show the installments of an invoice',
    answers: { 200: InvoiceParts },
    handle: ({ c, deps, merchant }) => partsReply(c, deps, merchant),
  }),
  'PUT /api/invoices/:id/parts': route({
    access: 'staff: configure',
    summary: 'Allow an invoice to be paid in installments',
    body: OpenPartsBody,
    answers: { 200: InvoiceParts },
    errors: [409, 503],
    handle: putParts,
  }),
  'DELETE /api/invoices/:id/parts': route({
    access: 'staff: configure',
    summary: 'Stop an invoice from being paid in installments',
    answers: { 200: InvoiceParts },
    errors: [409],
    handle: deleteParts,
  }),
  'POST /api/invoices/:id/parts/decision': route({
    access: 'staff: configure',
    summary: 'Decide what is outstanding after an installment invoice changed',
    body: DecidePartsBody,
    answers: { 200: InvoiceParts },
    errors: [409, 503],
    handle: postDecision,
  }),
};

async function getSetting({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  return c.json({ is_on: await findTakesParts(deps, caller) } satisfies PartsSetting);
}

async function putSetting({
  c,
  deps,
  merchant: caller,
  body,
}: StaffRequest<typeof PartsSettingBody>): Promise<Response> {
  await switchParts(deps, caller, body.is_on);
  return c.json({ is_on: body.is_on } satisfies PartsSetting);
}

async function partsReply(c: C, deps: Deps, caller: Merchant): Promise<Response> {
  const view = await viewParts(deps, caller, idOf(c));
  return view ? c.json(view) : invoiceNotFound(c);
}

async function putParts({ c, deps, merchant: caller, body }: StaffRequest<typeof OpenPartsBody>): Promise<Response> {
  const { least: minCents, deposit } = body;
  const terms = { minCents, deposit: deposit && 'amount' in deposit ? { cents: deposit.amount } : deposit };
  const outcome = await openParts(deps, caller, idOf(c), terms);
  return outcome.kind === 'opened' ? partsReply(c, deps, caller) : refuseOpening(c, outcome);
}

function refuseOpening(c: C, outcome: Exclude<OpenPartsOutcome, { kind: 'opened' }>): Response {
  switch (outcome.kind) {
    case 'off':
      return apiError(c, 409, 'conflict', 'Partial payments are switched off for this account.');
    case 'not-payable':
      if (outcome.state === 'amount-unreadable') return apiError(c, 409, 'amount-unreadable', AMOUNT_UNREADABLE);
      return apiError(c, 409, 'conflict', 'Only an invoice with a balance can have partial payments.');
    case 'bad-terms':
      return refuseInvalid(c, { [outcome.field === 'min' ? 'least' : 'deposit']: describeBadTerms(outcome) });
    case 'not-found':
      return invoiceNotFound(c);
    case 'crm-unavailable':
      return replyCrmUnavailable(c);
    case 'not-now':
      return apiError(
        c,
        409,
        'conflict',
        'It is being paid, or a payment of today may still appear. Please try later.',
      );
  }
}

function describeBadTerms({ field, baseCents, minCents }: Extract<OpenPartsOutcome, { kind: 'bad-terms' }>): string {
  const money = (cents: number) => formatMoney(cents, ONLINE_CURRENCY);
  return field === 'min'
    ? `The smallest part is $0.01 to ${money(Math.floor(baseCents / 2))}, so that two fit into the invoice.`
    : `The deposit is ${money(minCents)} to ${money(baseCents - minCents)}.`;
}

async function deleteParts({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  const outcome = await closeParts(deps, caller, idOf(c));
  return outcome.kind === 'closed' ? partsReply(c, deps, caller) : refuseClosing(c, outcome);
}

function refuseClosing(c: C, { kind }: Exclude<ClosePartsOutcome, { kind: 'closed' }>): Response {
  switch (kind) {
    case 'not-found':
      return invoiceNotFound(c);
    case 'not-open':
      return apiError(c, 409, 'conflict', 'Partial payments are not allowed for this invoice.');
    case 'not-now':
      return refuseDuringPayment(c);
  }
}

async function postDecision({
  c,
  deps,
  merchant: caller,
  body,
}: StaffRequest<typeof DecidePartsBody>): Promise<Response> {
  const outcome = await decideParts(deps, caller, idOf(c), { verdict: body.verdict, owedShown: body.owed });
  return outcome.kind === 'decided' ? partsReply(c, deps, caller) : refuseDecision(c, outcome);
}

function refuseDecision(c: C, { kind }: Exclude<DecidePartsOutcome, { kind: 'decided' }>): Response {
  switch (kind) {
    case 'changed':
      return apiError(c, 409, 'amount-changed', 'The amount in HubSpot has changed again. Please check it.');
    case 'not-frozen':
      return apiError(c, 409, 'conflict', 'Someone has already decided about this invoice.');
    case 'amount-unreadable':
      return apiError(c, 409, 'amount-unreadable', AMOUNT_UNREADABLE);
    case 'nothing-left':
      return apiError(
        c,
        409,
        'nothing-to-pay',
        'This would mean that all of it is paid. Please correct the amount in HubSpot.',
      );
    case 'not-found':
      return invoiceNotFound(c);
    case 'crm-unavailable':
      return replyCrmUnavailable(c);
    case 'not-now':
      return refuseDuringPayment(c);
  }
}

const idOf = (c: C) => c.req.param('id') ?? '';
const invoiceNotFound = (c: C) => apiError(c, 404, 'not-found', 'No invoice found');
const refuseDuringPayment = (c: C) =>
  apiError(c, 409, 'conflict', 'A payment of it is in progress, or may still be charged. Please try later.');

function replyCrmUnavailable(c: C): Response {
  c.header('retry-after', '30');
  return apiError(c, 503, 'crm-unavailable', 'The CRM is not answering. Please try again.');
}
