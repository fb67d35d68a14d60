import { PersonErased, PersonShown } from '#shared/contracts/operators/operate';
import { CustomerData, EraseCustomerBody } from '#shared/contracts/staff/customer-data';
import type { Merchant } from '#worker/domain/merchants/session';
import {
  type CustomerRef,
  eraseCustomerData,
  exportCustomerData,
  summarizeCustomerData,
} from '#worker/domain/retention/customer-data';
import { refuseInvalid } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type C, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for the data stored about a customer, when that person asks for it. */
export const customerDataRoutes: Routes = {
  'GET /api/customers/:id/data': route({
    access: 'staff: administer',
    summary: 'Summarize the data stored about a customer',
    answers: { 200: CustomerData },
    handle: getSummary,
  }),
  'POST /api/customers/:id/data/export': route({
    access: 'staff: administer',
    summary: 'Export the data stored about a customer',
    stepUp: true,
    answers: { 200: PersonShown },
    errors: [409],
    handle: postExport,
  }),
  'POST /api/customers/:id/data/erasure': route({
    access: 'staff: administer',
    summary: 'Erase the data stored about a customer',
    stepUp: true,
    body: EraseCustomerBody,
    answers: { 200: PersonErased },
    errors: [409],
    handle: postErasure,
  }),
};

const customerRefOf = (c: C, { accountId }: Merchant): CustomerRef => ({
  accountId,
  contactId: c.req.param('id') ?? '',
});

const notFound = (c: C) => apiError(c, 404, 'not-found', 'No customer found');
const refuseWithoutEmail = (c: C) =>
  apiError(c, 409, 'conflict', 'This customer has no email address, by which the data would be found.');

async function getSummary({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const summary = await summarizeCustomerData(deps, customerRefOf(c, merchant));
  return summary ? c.json(summary) : notFound(c);
}

async function postExport({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const outcome = await exportCustomerData(deps, customerRefOf(c, merchant));
  switch (outcome.kind) {
    case 'exported':
      return c.json(outcome.data);
    case 'not-found':
      return notFound(c);
    case 'no-email':
      return refuseWithoutEmail(c);
  }
}

async function postErasure({ c, deps, merchant, body }: StaffRequest<typeof EraseCustomerBody>): Promise<Response> {
  const outcome = await eraseCustomerData(deps, customerRefOf(c, merchant), body.email);
  switch (outcome.kind) {
    case 'erased':
      return c.json(outcome.data);
    case 'not-found':
      return notFound(c);
    case 'no-email':
      return refuseWithoutEmail(c);
    case 'other-email':
      return refuseInvalid(c, { email: `Type “${outcome.email}”.` });
  }
}
