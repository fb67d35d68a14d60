import type { ReactNode } from 'react';
import type { StaffRole } from '../../../../shared/contracts/team-values.ts';
import { may } from './app-view.ts';

const whom: Record<Exclude<StaffRole, 'reader'>, string> = {
  desk: 'front desk staff, a manager or an administrator',
  manager: 'a manager or an administrator',
  admin: 'an administrator',
};

type Act = {
  least: Exclude<StaffRole, 'reader'>;
  /** What that is, such as "take payments". */
  act: string;
};

/** In one sentence, who may. */
export const WhoMay = ({ least, act }: Act) => (
  <p className="app-quiet">
    Only {whom[least]} of this account may {act}.
  </p>
);

/**
 * What takes a role, for who has it; to anybody else it says in one sentence whom to ask. Where the screen makes sense
 * without the part, `may` alone leaves it out.
 */
export const ForRole = ({ least, act, children }: Act & { children: ReactNode }) =>
  may(least) ? children : <WhoMay least={least} act={act} />;
