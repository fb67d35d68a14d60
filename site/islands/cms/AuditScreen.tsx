import { Trail } from '#site/islands/ui/trail/Trail.tsx';
import { createTrailCalls, installationScope } from '#site/islands/ui/trail/trail.ts';
import { call } from './api.ts';

const calls = createTrailCalls(call, '/api/cms/audit');

/** The installation's own audit trail, for owners. */
export const AuditScreen = () => (
  <div className="trail-page">
    <h1 tabIndex={-1}>Audit trail</h1>
    <Trail calls={calls} scope={installationScope} />
  </div>
);
