import { afterEach, describe, expect, it, vi } from 'vitest';
import { payPageWords } from '#shared/words/pay-words';
import { requestToken as requestIn } from './card-sdk.ts';

const requestToken = (sdk: Parameters<typeof requestIn>[0], fieldErrors: () => string[]) =>
  requestIn(sdk, payPageWords('en').card, fieldErrors);

const noErrors = () => [];
const answering = (answer: unknown) => ({ getPaymentToken: () => Promise.resolve(answer) });
const refusing = (reason: unknown) => ({ getPaymentToken: () => Promise.reject(reason) });

afterEach(() => vi.useRealTimers());

describe('requesting a token from the card form', () => {
  it('returns only the token of the response', async () => {
    const answer = { payload: { payloadType: 'mobile-jwt', 'mobile-jwt': { jwt: 'a.b.c', 'last-four': '1111' } } };
    expect(await requestToken(answering(answer), noErrors)).toEqual({ ok: true, token: { jwt: 'a.b.c' } });
  });

  it('also returns the type of a bank account if it is known', async () => {
    const withAccountType = (type: unknown) =>
      answering({ payload: { 'mobile-jwt': { jwt: 'a.b.c', 'account-type': type } } });
    const token = { jwt: 'a.b.c', 'account-type': 'Savings' };
    expect(await requestToken(withAccountType('Savings'), noErrors)).toEqual({ ok: true, token });
    expect(await requestToken(withAccountType('Piggy'), noErrors)).toEqual({ ok: true, token: { jwt: 'a.b.c' } });
  });

  it.each([
    ['Payment SDK not initialized', undefined],
    [
      'Failed to initiate payment process',
      {
        getPaymentToken: () => {
          throw new Error('no frame');
        },
      },
    ],
    ['Invalid payment response received', answering(null)],
    ['Invalid payment response received', answering({ status: 'success' })],
    ['Invalid payment token received', answering({ payload: {} })],
    ['Invalid payment token received', answering({ payload: { 'mobile-jwt': { jwt: '' } } })],
    ['Payment token generation failed', refusing(new Error('network'))],
    [
      'Payment token generation failed: Card expired',
      refusing({ payload: { error: { 'error-message': 'Card expired' } } }),
    ],
    [
      'Payment token generation failed: Card expired',
      answering({ payload: { error: { 'error-message': 'Card expired' } } }),
    ],
  ])('reports "%s"', async (message, sdk) => {
    expect(await requestToken(sdk, noErrors)).toEqual({ ok: false, message });
  });

  it('does not show the provider’s English messages on a Spanish page', async () => {
    const spanish = payPageWords('es').card;
    const wrong = await requestIn(refusing(new Error()), spanish, () => ['Card number is required']);
    expect(wrong).toMatchObject({ message: 'Datos no válidos: revise los datos de su tarjeta o cuenta' });
    const failed = await requestIn(
      refusing({ payload: { error: { 'error-message': 'Card expired' } } }),
      spanish,
      noErrors,
    );
    expect(failed).toMatchObject({ message: 'No se pudieron verificar los datos de pago' });
  });

  it('reports the frame’s validation errors, even if its promise never settles', async () => {
    const fieldErrors = () => ['Card number is required', 'Expiration is required'];
    const message = 'Validation error: Card number is required, Expiration is required';
    expect(await requestToken(refusing(new Error()), fieldErrors)).toMatchObject({ message });
    vi.useFakeTimers();
    const pending = requestToken({ getPaymentToken: () => new Promise(() => {}) }, fieldErrors);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await pending).toMatchObject({ message });
  });
});
