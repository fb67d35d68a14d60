import { addRows } from './permissions.ts';

// The rows of the operator's area; a part of the table of permissions.ts.
addRows('operator', {
  'GET /operator': 'anyone',
  'GET /operator/*': 'anyone',
  'POST /api/operator/enrolment/options': 'anyone',
  'POST /api/operator/enrolment': 'anyone',
  'POST /api/operator/session/options': 'anyone',
  'POST /api/operator/session': 'anyone',
  'DELETE /api/operator/session': 'operator',
  'GET /api/operator/me': 'operator',
  'POST /api/operator/proof/options': 'operator',
  'POST /api/operator/proof': 'operator',
  'GET /api/operator/overview': 'operator',
  'GET /api/operator/clinics': 'operator',
  'GET /api/operator/clinics/:number': 'operator',
  'GET /api/operator/operators': 'operator',
  'POST /api/operator/operators/invitations': 'operator who just showed the passkey',
  'DELETE /api/operator/operators/:id': 'operator who just showed the passkey',
  'POST /api/operator/clinics/:number/view': 'operator who just showed the passkey',
  'POST /api/operator/clinics/:number/wake': 'operator who just showed the passkey',
  'POST /api/operator/alerts/acknowledgement': 'operator who just showed the passkey',
  'POST /api/operator/mails/again': 'operator who just showed the passkey',
  'POST /api/operator/builds': 'operator who just showed the passkey',
  'PUT /api/operator/payments': 'operator who just showed the passkey',
});
