import { SupportViewReply } from '#shared/contracts/staff/account-settings';
import { endSupportView, grantSupportView, viewSupportView } from '#worker/domain/merchants/support-view';
import { type Routes, route } from '#worker/http/routes';

/** Routes that grant and end the operator's read-only access to a clinic. */
export const supportViewRoutes: Routes = {
  'GET /api/support-view': route({
    access: 'staff',
    summary: 'Show whether support may view the account',
    answers: { 200: SupportViewReply },
    handle: async ({ c, deps, merchant: caller }) => c.json(await viewSupportView(deps, caller)),
  }),
  'POST /api/support-view': route({
    access: 'staff: administer',
    summary: 'Allow support to view the account',
    stepUp: true,
    answers: { 200: SupportViewReply },
    handle: async ({ c, deps, merchant: caller }) => {
      await grantSupportView(deps, caller);
      return c.json(await viewSupportView(deps, caller));
    },
  }),
  'DELETE /api/support-view': route({
    access: 'staff: administer',
    summary: 'End support access to the account',
    answers: { 200: SupportViewReply },
    handle: async ({ c, deps, merchant: caller }) => {
      await endSupportView(deps, caller);
      return c.json(await viewSupportView(deps, caller));
    },
  }),
};
