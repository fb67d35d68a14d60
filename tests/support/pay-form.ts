import type { TakePaymentBody } from '#shared/contracts/payment-request';
import { signature } from './content/png.ts';

/** What a payer writes and signs. */
export const payerFields = () => ({
  signature: signature(),
  firstName: 'Marta',
  lastName: 'Núñez',
  address: '1 Elm St',
  address2: '',
  city: 'Carmel',
  state: 'IN',
  zip: '46032',
});

/** A whole payment as the route hands it on, with a card token that was never used. */
export const paymentForm = (more: Partial<TakePaymentBody> = {}): TakePaymentBody => ({
  ...payerFields(),
  paymentDetails: `jwt-${crypto.randomUUID()}`,
  paymentType: 'card',
  accountType: undefined,
  ...more,
});
