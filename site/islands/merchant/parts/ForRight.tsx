import type { ReactNode } from 'react';
import type { StaffRight } from '#shared/contracts/staff/team-values';
import { describeWhoMay } from '#shared/text/staff-roles';
import { may, readAppView } from './app-view.ts';

type Act = {
  right: StaffRight;
  /** Completes "may …", such as "take payments". */
  act: string;
};

/** A sentence that names the roles with a right, and colleagues who have it. */
export const WhoMay = ({ right, act }: Act) => (
  <p className="app-quiet">{describeWhoMay(right, act, readAppView().colleagues)}</p>
);

/**
 * Shows its children to people with the right, and to anyone else a sentence that names the roles with it. If the
 * screen makes sense without the part, use `may` alone and omit it.
 */
export const ForRight = ({ right, act, children }: Act & { children: ReactNode }) =>
  may(right) ? children : <WhoMay right={right} act={act} />;
