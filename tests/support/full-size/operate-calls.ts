import { env } from 'cloudflare:workers';
import { hubs } from '#sandbox/credentials';
import { insertRow } from '#tests/support/unit/insert-row';
import { testSettings } from '#tests/support/unit/settings';
import type { Ask } from './asker.ts';

const token = testSettings('').OPERATOR_SECRET;

/**
 * The operator programs' calls for a clinic. Restoring and erasing must be handled by the clinic's own object
 * (worker/domain/operate/), so they are refused here.
 */
export async function operateCalls(ask: Ask, account: number): Promise<void> {
  const path = `/api/operate/clinics/${account}`;
  await ask('GET /api/operate/clinics', { token });
  await ask('GET /api/operate/clinics/:account', { token, path });
  const archive = 'GET /api/operate/clinics/:account/archive';
  await ask(archive, { token, path: `${path}/archive` });
  await ask('POST /api/operate/clinics/:account/archive', { token, path: `${path}/archive`, status: 202 });
  await ask(`${archive}/:id/parts/:part`, { token, path: `${path}/archive/none/parts/0`, status: 404 });
  await ask('GET /api/operate/clinics/:account/dumps', { token, path: `${path}/dumps` });
  await ask('GET /api/operate/dumps', { token, path: '/api/operate/dumps?folder=nightly/1/0/', status: 404 });
  await ask('GET /api/operate/clinics/:account/trail', { token, path: `${path}/trail` });
  await ask('GET /api/operate/clinics/:account/trail/:rows', { token, path: `${path}/trail/events?from=1&to=1000` });
  const person = { email: 'marta@payer.example', erase: false };
  await ask('POST /api/operate/clinics/:account/person', { token, path: `${path}/person`, body: person });
  const handOver = { path: `${path}/hand-over`, body: { email: 'owner@maple.example' } };
  await ask('POST /api/operate/clinics/:account/hand-over', { token, ...handOver });
  // A colleague has lost a PIN.
  const [, { email, userId: crmUserId } = noColleague()] = hubs[0].users;
  const user = env.DB.prepare('SELECT user_id FROM users WHERE crm_user_id = ?').bind(crmUserId);
  const userId = await user.first('user_id');
  await env.DB.prepare('DELETE FROM pins').run();
  await insertRow(env.DB, 'pins', { account_id: account, user_id: userId });
  const unlock = { path: `${path}/unlock`, body: { email } };
  await ask('POST /api/operate/clinics/:account/unlock', { token, ...unlock, status: 204 });
  // No account with this address has a passkey.
  await ask('POST /api/operate/content/unlock', { token, body: { email: 'nobody@maple.example' }, status: 404 });
  await ask('GET /api/operate/anchor', { token });
  await ask('DELETE /api/operate/clinics/:account', { token, path, body: { name: 'another' }, status: 409 });
  const unknown = '/api/operate/restorations/999999';
  const end = { account };
  await ask('POST /api/operate/restorations', { token, body: { account, schema: 1 }, status: 409 });
  await ask('POST /api/operate/restorations/archive/:account', {
    token,
    path: `/api/operate/restorations/archive/${account}`,
    body: {},
    status: 409,
  });
  await ask('PUT /api/operate/restorations/:clinic/parts/:part', {
    token,
    path: `${unknown}/parts/0`,
    body: {},
    status: 404,
  });
  await ask('PUT /api/operate/restorations/:clinic/pieces/:piece', {
    token,
    path: `${unknown}/pieces/0`,
    body: { folder: 'nightly/1/0/' },
    status: 404,
  });
  await ask('POST /api/operate/restorations/:clinic/end', { token, path: `${unknown}/end`, body: end, status: 404 });
  await ask('DELETE /api/operate/restorations/:clinic', { token, path: unknown, status: 404 });
}

function noColleague(): never {
  throw new Error('the first account has a colleague');
}
