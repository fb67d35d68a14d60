import type { ReactNode } from 'react';
import type { StaffRight } from '#shared/contracts/staff/team-values';
import { describeWhoMay } from '#shared/text/staff-roles';
import { may, readAppView } from './app-view.ts';

type Act = {
  right: StaffRight;
  /** Completes "may …", such as "take payments". */
  act: string;
};

/** Names the roles with a right, and the colleagues who have it. */
export const WhoMay = ({ right, act }: Act) => (
  <p className="app-quiet">{describeWhoMay(right, act, readAppView().colleagues)}</p>
);

/**
 * Shows its children to users with the right, and the roles with that right to all others. If the screen makes sense
 * without the children, use `may` instead and omit them.
 */
export const ForRight = ({ right, act, children }: Act & { children: ReactNode }) =>
  may(right) ? children : <WhoMay right={right} act={act} />;
