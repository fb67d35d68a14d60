import { describe, expect, it } from 'vitest';
import { checkRegistrations, domainFileFinding } from './check-apple-pay.ts';

describe('the doctor on Apple Pay', () => {
  it.each([
    ['ok', new Response('7b7d')],
    ['not-checked', new Response('', { status: 404 })],
    ['wrong', new Response('', { status: 500 })],
    ['wrong', null],
  ] as const)('judges the file for Apple Pay: %s', (state, answer) => {
    expect(domainFileFinding(answer).state).toBe(state);
  });

  it('names the clinics whose host is not registered', async () => {
    const findings = async (rows: unknown) => checkRegistrations(async () => rows as never);
    expect(await findings([])).toMatchObject([{ state: 'ok' }]);
    expect(await findings([{ account: 4711 }, { account: 4712 }])).toMatchObject([
      { state: 'wrong', detail: expect.stringContaining('4711, 4712') },
    ]);
    const failing = () => Promise.reject(new Error('no network'));
    expect(await checkRegistrations(failing)).toMatchObject([{ state: 'not-checked' }]);
  });
});
