import { BillLinesSetting } from '#shared/contracts/bill-lines';
import { BillLinesBody } from '#shared/contracts/bill-lines-request';
import { setBillLines, viewBillLines } from '#worker/domain/pay-page/bill-lines';
import { type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Whether payers see what is on their bill. */
export const billLineRoutes: Routes = {
  'GET /api/bill-lines': route({
    who: 'staff: oversee',
    summary: 'Show whether payers see line items',
    answers: { 200: BillLinesSetting },
    handle: async ({ c, deps, merchant: you }) => c.json(await viewBillLines(deps, you)),
  }),
  'PUT /api/bill-lines': route({
    who: 'staff: configure',
    summary: 'Set whether payers see line items',
    body: BillLinesBody,
    answers: { 200: BillLinesSetting },
    handle: putBillLines,
  }),
};

async function putBillLines({ c, deps, merchant: you, body }: StaffRequest<typeof BillLinesBody>): Promise<Response> {
  return c.json(await setBillLines(deps, you, body.is_on));
}
