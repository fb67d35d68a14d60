import { testSettings } from '#tests/support/unit/settings';
import type { Ask } from './asker.ts';

const token = testSettings('').OPERATOR_SECRET;

/**
 * What the operator's programs ask of a clinic. What puts back and erases is a clinic's own object's to bear
 * (worker/domain/operate/); here it is refused.
 */
export async function operateCalls(ask: Ask, account: number): Promise<void> {
  const path = `/api/operate/clinics/${account}`;
  await ask('GET /api/operate/clinics', { token });
  await ask('GET /api/operate/clinics/:account', { token, path });
  await ask('GET /api/operate/clinics/:account/export', { token, path: `${path}/export` });
  await ask('GET /api/operate/clinics/:account/export/:table', { token, path: `${path}/export/payment_attempts` });
  await ask('GET /api/operate/clinics/:account/dumps', { token, path: `${path}/dumps` });
  await ask('GET /api/operate/dumps', { token, path: '/api/operate/dumps?folder=nightly/1/0/', status: 404 });
  await ask('GET /api/operate/clinics/:account/trail', { token, path: `${path}/trail` });
  await ask('GET /api/operate/clinics/:account/trail/:rows', { token, path: `${path}/trail/events?from=1&to=1000` });
  const person = { email: 'marta@payer.example', erase: false };
  await ask('POST /api/operate/clinics/:account/person', { token, path: `${path}/person`, body: person });
  await ask('GET /api/operate/anchor', { token });
  await ask('DELETE /api/operate/clinics/:account', { token, path, body: { name: 'another' }, status: 409 });
  const none = '/api/operate/restorations/999999';
  const end = { account, counts: {}, ledgerCents: 0 };
  await ask('POST /api/operate/restorations', { token, body: { account, schema: 1 }, status: 409 });
  await ask('PUT /api/operate/restorations/:clinic/tables/:table', {
    ...{ token, path: `${none}/tables/users`, body: { rows: [] }, status: 404 },
  });
  await ask('PUT /api/operate/restorations/:clinic/pieces/:piece', {
    ...{ token, path: `${none}/pieces/0`, body: { folder: 'nightly/1/0/' }, status: 404 },
  });
  await ask('POST /api/operate/restorations/:clinic/end', { token, path: `${none}/end`, body: end, status: 404 });
  await ask('DELETE /api/operate/restorations/:clinic', { token, path: none, status: 404 });
}
