import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { PersonErased, PersonShown } from '#shared/contracts/operators/operate';
import { CustomerData } from '#shared/contracts/staff/customer-data';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp } from '#tests/support/login';
import { insertRow } from '#tests/support/unit/insert-row';
import { addContacts } from '#tests/support/unit/lists';
import { eventsOf } from '#tests/support/unit/trail';

const [{ hubId: accountId }, { hubId: otherId }] = hubs;
const EMAIL = 'ana@payer.example';

/** Logs in an administrator of a clinic that stores two emails to a customer and the customer's CRM contact. */
async function makeClinicWithCustomer() {
  const app = makeApp();
  const { token } = await logIn(app, 0);
  const call = (method: string, path: string, body?: object) =>
    app.request(`/api/customers/${path}`, {
      method,
      headers: { ...bearer(token), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  await addContacts(accountId, [
    { contactId: '1', firstName: 'Ana', lastName: 'Ruiz', email: 'Ana@Payer.example' },
    { contactId: '2', firstName: 'Ben' },
  ]);
  for (const id of ['1', '2']) {
    await insertRow(env.DB, 'outbox', {
      id: `receipt-${id}`,
      account_id: accountId,
      kind: 'receipt',
      recipient: EMAIL,
      state: 'sent',
      created_at: app.deps.now(),
    });
  }
  return { call };
}

const readPersonEvents = async () => (await eventsOf(accountId)).filter(({ action }) => action.startsWith('person.'));
const readRecipients = async () =>
  (await env.DB.prepare('SELECT recipient FROM outbox ORDER BY id').all<{ recipient: string }>()).results;

describe('the data stored about a customer', () => {
  it('is summarized in words, with the number of erasable rows and the reason why other rows stay', async () => {
    const { call } = await makeClinicWithCustomer();
    const answer = await call('GET', '1/data');
    expect(CustomerData.parse(await answer.json())).toMatchObject({
      email: 'Ana@Payer.example',
      places: [
        { label: 'Emails to them', rows: 2, erasable: 2 },
        { label: 'Contact details', rows: 1, erasable: 0, stays: expect.stringContaining('CRM') },
      ],
    });
    expect(await readPersonEvents()).toEqual([]);
  });

  it('is exported in the same form as by the operator’s command, and recorded in the trail without the address', async () => {
    const { call } = await makeClinicWithCustomer();
    const { shown } = PersonShown.parse(await (await call('POST', '1/data/export')).json());
    expect(shown.map(({ name, rows }) => [name, rows.length])).toEqual([
      ['outbox: mails', 2],
      ['contacts: copies of the CRM', 1],
    ]);
    const events = await readPersonEvents();
    expect(events).toMatchObject([{ action: 'person.exported', actorKind: 'user', after: '{"rows":3}' }]);
    expect(JSON.stringify(events).toLowerCase()).not.toContain('ana@');
  });

  it('is erased only with the customer’s address, in any letter case', async () => {
    const { call } = await makeClinicWithCustomer();
    const refusal = await call('POST', '1/data/erasure', { email: 'ben@payer.example' });
    expect([refusal.status, await refusal.json()]).toMatchObject([
      422,
      { error: { message: 'Type “Ana@Payer.example”.', fields: ['email'] } },
    ]);
    expect(await readRecipients()).toEqual([{ recipient: EMAIL }, { recipient: EMAIL }]);
    const { erased } = PersonErased.parse(await (await call('POST', '1/data/erasure', { email: ` ${EMAIL} ` })).json());
    expect(erased).toMatchObject([
      { name: 'outbox: mails', found: 2, erased: 2 },
      { name: 'contacts: copies of the CRM', found: 1, erased: 0 },
    ]);
    expect(await readRecipients()).toEqual([{ recipient: '' }, { recipient: '' }]);
    expect(await readPersonEvents()).toMatchObject([
      { action: 'person.erased', actorKind: 'user', after: '{"rows":2}' },
    ]);
  });

  it('is not found without an address or for a customer of another clinic', async () => {
    const { call } = await makeClinicWithCustomer();
    await insertRow(env.DB, 'accounts', { account_id: otherId });
    await addContacts(otherId, [{ contactId: '5', email: EMAIL }]);
    expect(await (await call('GET', '2/data')).json()).toEqual({ email: '', places: [] });
    const attempts = [
      [409, '2'],
      [404, '5'],
    ] as const;
    for (const [status, id] of attempts) {
      expect((await call('POST', `${id}/data/export`)).status).toBe(status);
      expect((await call('POST', `${id}/data/erasure`, { email: EMAIL })).status).toBe(status);
    }
    expect((await call('GET', '5/data')).status).toBe(404);
    expect(await readPersonEvents()).toEqual([]);
  });
});
