import type { ReactNode } from 'react';
import { type StaffRight, sayWhoMay } from '../../../../shared/contracts/team-values.ts';
import { may } from './app-view.ts';

type Act = {
  right: StaffRight;
  /** What that is, such as "take payments". */
  act: string;
};

/** In one sentence, who may. */
export const WhoMay = ({ right, act }: Act) => (
  <p className="app-quiet">
    Only {sayWhoMay(right)} of this account may {act}.
  </p>
);

/**
 * What takes a right, for those who have it; to anybody else it says in one sentence whom to ask. Where the screen makes
 * sense without the part, `may` alone leaves it out.
 */
export const ForRight = ({ right, act, children }: Act & { children: ReactNode }) =>
  may(right) ? children : <WhoMay right={right} act={act} />;
