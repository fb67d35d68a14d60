import type { ReactNode } from 'react';
import type { StaffRight } from '#shared/contracts/staff/team-values';
import { describeRightHolders } from '#shared/text/staff-roles';
import { may, readAppView } from './app-view.ts';

type RightAction = {
  right: StaffRight;
  /** Completes "may …", such as "take payments". */
  action: string;
};

/** Names the roles with a right, and the colleagues who have it. */
export const RightHolders = ({ right, action }: RightAction) => (
  <p className="app-quiet">{describeRightHolders(right, action, readAppView().colleagues)}</p>
);

/**
 * Shows its children to users with the right, and the roles with that right to all others. If the screen makes sense
 * without the children, use `may` instead and omit them.
 */
export const RequireRight = ({ right, action, children }: RightAction & { children: ReactNode }) =>
  may(right) ? children : <RightHolders right={right} action={action} />;
