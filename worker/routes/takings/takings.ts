import * as z from 'zod/mini';
import { Takings } from '#shared/contracts/payments/takings';
import { viewTakings } from '#worker/domain/takings/view-takings';
import { apiError } from '#worker/http/reply/errors';
import { type Routes, route, type StaffRequest } from '#worker/http/routes';

/** The takings of a day. */
export const takingsRoutes: Routes = {
  'GET /api/takings': route({
    who: 'staff',
    summary: 'Show the takings of a day',
    query: z.object({ date: z.optional(z.string()) }),
    answers: { 200: Takings },
    handle: getTakings,
  }),
};

async function getTakings({ c, deps, merchant: { accountId } }: StaffRequest): Promise<Response> {
  const [date, ...more] = c.req.queries('date') ?? [];
  const takings = more.length > 0 ? null : await viewTakings(deps, accountId, date);
  if (!takings) return apiError(c, 422, 'invalid', 'Date must be a day up to today, as YYYY-MM-DD.');
  return c.json(takings);
}
