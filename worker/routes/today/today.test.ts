import { expect, it } from 'vitest';
import { Today } from '#shared/contracts/payments/today';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp } from '#tests/support/login';

it.each([
  ['open', undefined],
  ['paused', 'paused'],
] as const)('GET /api/today: tells staff that nobody can pay by link: %s', async (PAY_PAGE, told) => {
  const app = makeApp({}, { PAY_PAGE });
  const { token } = await logIn(app, 0);
  const response = await app.request('/api/today', { headers: bearer(token) });
  expect(Today.parse(await response.json()).online_off).toBe(told);
});
