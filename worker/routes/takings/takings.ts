import * as z from 'zod/mini';
import { PaymentListReply, paymentRules } from '#shared/contracts/payments/payment-list';
import { maxPeriodDays } from '#shared/contracts/payments/payment-list-values';
import { Takings } from '#shared/contracts/payments/takings';
import { exportPayments, listPayments } from '#worker/domain/takings/list-payments';
import { viewTakings } from '#worker/domain/takings/view-takings';
import { apiError } from '#worker/http/reply/errors';
import { sendPage, streamCsv } from '#worker/http/reply/list';
import { csv, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for the takings of a day, and for the list of all payments. */
export const takingsRoutes: Routes = {
  'GET /api/takings': route({
    access: 'staff',
    summary: 'Show the takings of a day',
    query: z.object({ date: z.optional(z.string()) }),
    answers: { 200: Takings },
    handle: getTakings,
  }),
  'GET /api/payments': route({
    access: 'staff',
    summary: 'List payments and refunds',
    query: paymentRules,
    isList: true,
    answers: { 200: [PaymentListReply, csv] },
    handle: getPayments,
  }),
};

async function getTakings({ c, deps, merchant: { accountId } }: StaffRequest): Promise<Response> {
  const [date, ...extraDates] = c.req.queries('date') ?? [];
  const takings = extraDates.length > 0 ? null : await viewTakings(deps, accountId, date);
  if (!takings) return apiError(c, 422, 'invalid', 'Date must be a day up to today, as YYYY-MM-DD.');
  return c.json(takings);
}

async function getPayments({
  c,
  deps,
  merchant: { accountId },
  query,
}: StaffRequest<unknown, typeof paymentRules>): Promise<Response> {
  const refuseLongPeriod = () =>
    apiError(c, 422, 'invalid', `Choose a period of 1 to ${maxPeriodDays} days.`, { fields: ['day'] });
  if (query.format === 'csv') {
    const file = await exportPayments(deps, accountId, query);
    return file ? streamCsv(c, file.pieces, 'payments', file.days) : refuseLongPeriod();
  }
  const list = await listPayments(deps, accountId, query);
  if (!list) return refuseLongPeriod();
  return sendPage(c, list.reply satisfies PaymentListReply, {
    total: list.total,
    page: query.page,
    size: query.size,
  });
}
