import { addRows } from './permissions.ts';

// The rows of the operator's programs; a part of the table of permissions.ts.
addRows('operate', {
  'GET /api/operate/clinics': 'operator program',
  'GET /api/operate/clinics/:account': 'operator program',
  'DELETE /api/operate/clinics/:account': 'operator program',
  'POST /api/operate/clinics/:account/hand-over': 'operator program',
  'POST /api/operate/clinics/:account/unlock': 'operator program',
  'GET /api/operate/clinics/:account/archive': 'operator program',
  'POST /api/operate/clinics/:account/archive': 'operator program',
  'GET /api/operate/clinics/:account/archive/:id/parts/:part': 'operator program',
  'POST /api/operate/content/unlock': 'operator program',
  'GET /api/operate/clinics/:account/dumps': 'operator program',
  'GET /api/operate/clinics/:account/trail': 'operator program',
  'GET /api/operate/clinics/:account/trail/:rows': 'operator program',
  'POST /api/operate/clinics/:account/person': 'operator program',
  'GET /api/operate/anchor': 'operator program',
  'GET /api/operate/dumps': 'operator program',
  'POST /api/operate/restorations': 'operator program',
  'POST /api/operate/restorations/archive/:account': 'operator program',
  'PUT /api/operate/restorations/:clinic/parts/:part': 'operator program',
  'PUT /api/operate/restorations/:clinic/pieces/:piece': 'operator program',
  'POST /api/operate/restorations/:clinic/end': 'operator program',
  'DELETE /api/operate/restorations/:clinic': 'operator program',
});
