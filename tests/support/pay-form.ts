import type { TakePaymentBody } from '#shared/contracts/payments/payment-request';
import { signature } from './content/png.ts';

/** A payer's fields and signature. */
export const payerFields = () => ({
  signature: signature(),
  signing: { kind: 'drawn' as const, words: '' },
  firstName: 'Marta',
  lastName: 'Núñez',
  address: '1 Elm St',
  address2: '',
  city: 'Carmel',
  state: 'IN',
  zip: '46032',
});

/** A complete payment request with a fresh card token. */
export const paymentForm = (fields: Partial<TakePaymentBody> = {}): TakePaymentBody => ({
  ...payerFields(),
  paymentDetails: `jwt-${crypto.randomUUID()}`,
  paymentType: 'card',
  accountType: undefined,
  ...fields,
});
