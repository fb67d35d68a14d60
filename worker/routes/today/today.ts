import { Today } from '#shared/contracts/payments/today';
import { viewToday } from '#worker/domain/today/view-today';
import { type Routes, route, type StaffRequest } from '#worker/http/routes';

/** The route for the summary at the top of the dashboard. */
export const todayRoutes: Routes = {
  'GET /api/today': route({
    access: 'staff',
    summary: 'Show the dashboard summary of today',
    answers: { 200: Today },
    handle: getToday,
  }),
};

async function getToday({ c, deps, merchant: { accountId } }: StaffRequest): Promise<Response> {
  return c.json((await viewToday(deps, accountId)) satisfies Today);
}
