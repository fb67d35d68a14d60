import { afterEach, describe, expect, it, vi } from 'vitest';
import { payPageWords } from '#shared/words/pay-words';
import { requestToken as requestIn } from './card-sdk.ts';

const requestToken = (sdk: Parameters<typeof requestIn>[0], fieldErrors: () => string[]) =>
  requestIn(sdk, payPageWords('en').card, fieldErrors);

const noErrors = () => [];
const sdkWithAnswer = (answer: unknown) => ({ getPaymentToken: () => Promise.resolve(answer) });
const sdkWithRefusal = (reason: unknown) => ({ getPaymentToken: () => Promise.reject(reason) });

afterEach(() => vi.useRealTimers());

describe('requesting a token from the card form', () => {
  it('returns only the token of the response', async () => {
    const answer = { payload: { payloadType: 'mobile-jwt', 'mobile-jwt': { jwt: 'a.b.c', 'last-four': '1111' } } };
    expect(await requestToken(sdkWithAnswer(answer), noErrors)).toEqual({ ok: true, token: { jwt: 'a.b.c' } });
  });

  it('also returns the type of a bank account if it is known', async () => {
    const withAccountType = (type: unknown) =>
      sdkWithAnswer({ payload: { 'mobile-jwt': { jwt: 'a.b.c', 'account-type': type } } });
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
    ['Invalid payment response received', sdkWithAnswer(null)],
    ['Invalid payment response received', sdkWithAnswer({ status: 'success' })],
    ['Invalid payment token received', sdkWithAnswer({ payload: {} })],
    ['Invalid payment token received', sdkWithAnswer({ payload: { 'mobile-jwt': { jwt: '' } } })],
    ['Payment token generation failed', sdkWithRefusal(new Error('network'))],
    [
      'Payment token generation failed: Card expired',
      sdkWithRefusal({ payload: { error: { 'error-message': 'Card expired' } } }),
    ],
    [
      'Payment token generation failed: Card expired',
      sdkWithAnswer({ payload: { error: { 'error-message': 'Card expired' } } }),
    ],
  ])('reports "%s"', async (message, sdk) => {
    expect(await requestToken(sdk, noErrors)).toEqual({ ok: false, message });
  });

  it('does not show the provider’s English messages on a Spanish page', async () => {
    const spanish = payPageWords('es').card;
    const invalidFields = await requestIn(sdkWithRefusal(new Error()), spanish, () => ['Card number is required']);
    expect(invalidFields).toMatchObject({ message: 'Datos no válidos: revise los datos de su tarjeta o cuenta' });
    const failed = await requestIn(
      sdkWithRefusal({ payload: { error: { 'error-message': 'Card expired' } } }),
      spanish,
      noErrors,
    );
    expect(failed).toMatchObject({ message: 'No se pudieron verificar los datos de pago' });
  });

  it('reports the frame’s validation errors, even if its promise never settles', async () => {
    const fieldErrors = () => ['Card number is required', 'Expiration is required'];
    const message = 'Validation error: Card number is required, Expiration is required';
    expect(await requestToken(sdkWithRefusal(new Error()), fieldErrors)).toMatchObject({ message });
    vi.useFakeTimers();
    const pending = requestToken({ getPaymentToken: () => new Promise(() => {}) }, fieldErrors);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await pending).toMatchObject({ message });
  });
});
