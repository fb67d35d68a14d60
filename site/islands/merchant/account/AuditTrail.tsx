import { Trail } from '#site/islands/ui/trail/Trail.tsx';
import { ofAccount, trailCalls } from '#site/islands/ui/trail/trail.ts';
import { api } from '../api/api.ts';
import { ForRight } from '../parts/ForRight.tsx';
import { AccountNav } from './AccountFrame.tsx';

const calls = trailCalls(api.call, '/api/audit');

/** The account's audit trail, for administrators and bookkeepers only. */
export const AuditTrail = () => (
  <div className="trail-page">
    <AccountNav />
    <h1 tabIndex={-1}>Audit trail</h1>
    <ForRight right="audit" act="see this">
      <Trail calls={calls} scope={ofAccount} />
    </ForRight>
  </div>
);
