import type { ReactNode } from 'react';
import type { StaffRight } from '#shared/contracts/staff/team-values';
import { sayRolesWith } from '#shared/text/staff-roles';
import { may } from './app-view.ts';

type Act = {
  right: StaffRight;
  /** Completes "may …", such as "take payments". */
  act: string;
};

/** One sentence that names the roles with a right. */
export const WhoMay = ({ right, act }: Act) => (
  <p className="app-quiet">
    Only {sayRolesWith(right)} of this account may {act}.
  </p>
);

/**
 * Shows its children to a person with the right, and to anybody else one sentence that says whom to ask. Where the screen
 * makes sense without the part, `may` alone leaves it out.
 */
export const ForRight = ({ right, act, children }: Act & { children: ReactNode }) =>
  may(right) ? children : <WhoMay right={right} act={act} />;
