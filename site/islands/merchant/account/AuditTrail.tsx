import { Trail } from '../../ui/trail/Trail.tsx';
import { ofAccount, trailCalls } from '../../ui/trail/trail.ts';
import { api } from '../api/api.ts';

const calls = trailCalls(api.call, '/api/audit');

/** The account's audit trail; its administrators alone get an answer. */
export const AuditTrail = () => (
  <div className="trail-page">
    <h1 tabIndex={-1}>Audit trail</h1>
    <Trail calls={calls} scope={ofAccount} />
  </div>
);
