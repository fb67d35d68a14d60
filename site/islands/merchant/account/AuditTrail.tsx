import { Trail } from '../../ui/trail/Trail.tsx';
import { ofAccount, trailCalls } from '../../ui/trail/trail.ts';
import { api } from '../api/api.ts';
import { ForRole } from '../parts/ForRole.tsx';
import { AccountNav } from './AccountFrame.tsx';

const calls = trailCalls(api.call, '/api/audit');

/** The account's audit trail; its administrators alone get an answer. */
export const AuditTrail = () => (
  <div className="trail-page">
    <AccountNav />
    <h1 tabIndex={-1}>Audit trail</h1>
    <ForRole least="admin" act="see this">
      <Trail calls={calls} scope={ofAccount} />
    </ForRole>
  </div>
);
