import { expect, it } from 'vitest';
import { TerminalsReply } from '#shared/contracts/payments/terminals';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp } from '#tests/support/login';

it.each([
  ['open', undefined],
  ['paused', 'paused'],
] as const)('GET /api/counter-terminals reports whether payers can pay by link: %s', async (PAY_PAGE, onlineOff) => {
  const app = makeApp({}, { PAY_PAGE });
  const { token } = await logIn(app, 0);
  const response = await app.request('/api/counter-terminals', { headers: bearer(token) });
  expect(TerminalsReply.parse(await response.json()).online_off).toBe(onlineOff);
});
