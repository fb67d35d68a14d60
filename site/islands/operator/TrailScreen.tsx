import { Trail } from '../ui/trail/Trail.tsx';
import { createTrailCalls, installationScope, type TrailScope } from '../ui/trail/trail.ts';
import { call } from './api.ts';

const calls = createTrailCalls(call, 'audit');

const scope: TrailScope = {
  ...installationScope,
  actionScope: 'of operators, of members of the content area and of the product itself',
  groups: ['access', 'settings', 'content'],
  actions: [
    ['operator.called', 'Used a command'],
    ['clinic.woken', 'Woke a clinic'],
    ['support-view.opened', 'Viewed a clinic'],
    ['clinic.restored', 'Restored records'],
    ['clinic.erased', 'Closed a clinic'],
    ['person.erased', 'Erased a person’s data'],
    ['alert.acknowledged', 'Acknowledged an alert'],
    ['mail.sent-again', 'Resent an email'],
    ['payments.paused', 'Paused payments'],
    ['payments.resumed', 'Resumed payments'],
    ['script.approved', 'Approved a script'],
    ['build.started', 'Started a build'],
    ['list.exported', 'Exported the trail'],
    ['operator.invited', 'Invited an operator'],
    ['operator.invitation-ended', 'Withdrew an invitation'],
    ['operator.enrolled', 'Became an operator'],
    ['operator.removed', 'Removed an operator'],
    ['session.opened', 'Logged in'],
    ['session.ended', 'Logged out'],
    ['login.refused', 'Refused login'],
    ['access.refused', 'Refused request'],
  ],
  hasClinicFilter: true,
  mismatchAdvice: 'Keep a copy and follow the runbook.',
};

/** The installation's audit trail. */
export const TrailScreen = () => (
  <div className="op-page trail-page">
    <h1 tabIndex={-1}>Audit trail</h1>
    <Trail calls={calls} scope={scope} />
  </div>
);
