import type { ReactNode } from 'react';
import type { StaffRight } from '#shared/contracts/staff/team-values';
import { describeRightHolders } from '#shared/text/staff-roles';
import { hasRight, readAppView } from './app-view.ts';

type RightAction = {
  right: StaffRight;
  /** The words after "may", for example "take payments". */
  action: string;
};

/** Names the roles with a right, and the colleagues who have it. */
export const RightHolders = ({ right, action }: RightAction) => (
  <p className="app-quiet">{describeRightHolders(right, action, readAppView().colleagues)}</p>
);

/**
 * Shows its children to users with the right, and tells all others which roles have it. If a screen makes sense without
 * the children, use `hasRight` to omit them.
 */
export const RequireRight = ({ right, action, children }: RightAction & { children: ReactNode }) =>
  hasRight(right) ? children : <RightHolders right={right} action={action} />;
