import { Today } from '#shared/contracts/payments/today';
import type { Deps } from '#worker/deps';
import { isCatchingUp } from '#worker/domain/merchants/after-restore';
import { isPaused } from '#worker/domain/payments/pause';
import { viewToday } from '#worker/domain/today/view-today';
import { type Routes, route, type StaffRequest } from '#worker/http/routes';

/** The summary at the top of the dashboard. */
export const todayRoutes: Routes = {
  'GET /api/today': route({
    who: 'staff',
    summary: 'Show the dashboard summary of today',
    answers: { 200: Today },
    handle: today,
  }),
};

async function today({ c, deps, merchant: { accountId } }: StaffRequest): Promise<Response> {
  const [view, online_off] = await Promise.all([viewToday(deps, accountId), onlineOff(deps, accountId)]);
  return c.json({ ...view, ...(online_off && { online_off }) } satisfies Today);
}

/** A state that hits payers is shown where staff work. */
async function onlineOff(deps: Deps, accountId: number): Promise<Today['online_off']> {
  const [isReading] = await Promise.all([isCatchingUp(deps, accountId), deps.payments.look()]);
  if (isReading) return 'catching-up';
  return isPaused(deps) ? 'paused' : undefined;
}
