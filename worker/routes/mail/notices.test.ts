import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { PaymentNotices } from '#shared/contracts/staff/account-settings';
import { bearer } from '#tests/support/consent';
import { logInColleague } from '#tests/support/login';
import { makeClinic } from '#tests/support/unit/clinic';

it('a person sees and changes only their own payment notices, even with the role of a reader', async () => {
  const { app, token } = await makeClinic();
  const colleague = await logInColleague(app);
  await env.DB.prepare("UPDATE users SET role = 'reader' WHERE user_id = 2").run();
  const call = (method: string, userToken: string, body?: object) =>
    app.request('/api/payment-notices', {
      method,
      headers: { ...bearer(userToken), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const viewNotices = async (userToken: string) => PaymentNotices.parse(await (await call('GET', userToken)).json());
  expect(await viewNotices(token)).toMatchObject({ how: 'never' });
  expect((await call('PUT', colleague, { how: 'daily' })).status).toBe(200);
  expect(await viewNotices(colleague)).toMatchObject({ how: 'daily', to: expect.stringContaining('@') });
  expect(await viewNotices(token)).toMatchObject({ how: 'never' });
  for (const body of [{ how: 'hourly' }, { how: 'never', user: 1 }, {}])
    expect((await call('PUT', token, body)).status).toBe(422);
  await env.DB.prepare("UPDATE users SET email = '' WHERE user_id = 2").run();
  expect((await call('PUT', colleague, { how: 'at-once' })).status).toBe(422);
  expect((await call('PUT', colleague, { how: 'never' })).status).toBe(200);
});
