import { Trail } from '#site/islands/ui/trail/Trail.tsx';
import { accountScope, createTrailCalls } from '#site/islands/ui/trail/trail.ts';
import { api } from '../api/api.ts';
import { RequireRight } from '../common/RequireRight.tsx';
import { AccountNav } from './AccountFrame.tsx';

const calls = createTrailCalls(api.call, '/api/audit');

/** The page with the account's audit trail, for users with the right to see it. */
export const AuditTrail = () => (
  <div className="trail-page">
    <AccountNav />
    <h1 tabIndex={-1}>Audit trail</h1>
    <RequireRight right="audit" action="see this">
      <Trail calls={calls} scope={accountScope} />
    </RequireRight>
  </div>
);
