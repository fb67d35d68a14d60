import { CustomerReply } from '#shared/contracts/customer';
import { customerRules } from '#shared/contracts/list-request';
import { CustomersReply } from '#shared/contracts/lists';
import { CustomersError } from '#shared/contracts/lists-answers';
import { customerList } from '#worker/data/lists/customers';
import { customerColumns } from '#worker/domain/lists/csv-columns';
import { exportList } from '#worker/domain/lists/export';
import { readList, withToday } from '#worker/domain/lists/page';
import { presentListedCustomer } from '#worker/domain/lists/present';
import { viewCustomer } from '#worker/domain/lists/view-customer';
import { unauthorized } from '#worker/http/guards/require-merchant';
import { apiError, type Refuse } from '#worker/http/reply/errors';
import { freshList } from '#worker/http/reply/fresh-list';
import { sendCsv, sendList } from '#worker/http/reply/list';
import { type ClaimRequest, csv, type Routes, route } from '#worker/http/routes';

/** Errors of the list carry the CRM's envelope too. */
const refuse: Refuse = (c, status, code, message, more) =>
  apiError(c, status, code, message, { status: 'error', data: { message }, ...more });

/** A merchant's customers. */
export const customerRoutes: Routes = {
  'GET /api/customers': route({
    who: 'staff',
    summary: 'List customers',
    session: 'deferred',
    refuse,
    query: customerRules,
    isList: true,
    answers: { 200: [CustomersReply, csv] },
    errorBody: CustomersError,
    errors: [401, 422],
    handle: getCustomers,
  }),
  'GET /api/customers/:id': route({
    who: 'staff',
    summary: 'Show a customer',
    session: 'deferred',
    answers: { 200: CustomerReply },
    handle: getCustomer,
  }),
};

async function getCustomers({
  c,
  deps,
  claim,
  query: asked,
}: ClaimRequest<unknown, typeof customerRules>): Promise<Response> {
  const request = await withToday(deps, claim.accountId, asked);
  const list =
    request.format === 'csv'
      ? await exportList(deps, customerList, claim, request, customerColumns)
      : await freshList(c, deps, claim.accountId, () =>
          readList(deps, customerList, claim, request, presentListedCustomer),
        );
  if (!list) return unauthorized(c, refuse);
  if ('pieces' in list) return sendCsv(c, list, 'customers', deps.now());
  return sendList(c, list, { data: { results: list.items } } satisfies CustomersReply);
}

async function getCustomer({ c, deps, claim }: ClaimRequest): Promise<Response> {
  const view = await viewCustomer(deps, claim, c.req.param('id') ?? '');
  switch (view.kind) {
    case 'no-session':
      return unauthorized(c);
    case 'not-found':
      return apiError(c, 404, 'not-found', 'No customer found');
    case 'customer':
      return c.json(view.customer);
  }
}
