import type { PayPageWords } from '#shared/words/pay-words';

export const CARD_FRAME_ID = 'payment-form';
/**
 * The id of the page's JSON script with the options, used by the early script that opens the card form and by the form.
 */
export const CARD_OPTIONS_ID = 'card-options';

/** The provider's callbacks, by their names on `window`. */
export const handlers = {
  successCallback: 'tillwayCardToken',
  errorCallback: 'tillwayCardError',
  validationCallback: 'tillwayCardValidation',
  paymentTypeCallback: 'tillwayPaymentType',
} as const;

// The frame is a separate document: always light, in our paper colours.
const styles = `
body { font: 400 16px/24px system-ui, sans-serif; color: #13221d; background: #ffffff; }
label { font: 500 14px/20px system-ui, sans-serif; color: #13221d; }
input, select { height: 44px; padding: 0 12px; border: 1px solid #7c8a84; border-radius: 8px; background: #ffffff; color: #13221d; font: 400 16px/24px system-ui, sans-serif; }
input::placeholder { color: #596762; opacity: 1; }
input:hover, select:hover { border-color: #42514c; }
input:focus, select:focus { outline: 2px solid #0462d3; outline-offset: 2px; }
input[aria-invalid="true"], input.error { border: 2px solid #b72121; }
.error, .validation-message { color: #9c211f; font: 500 14px/20px system-ui, sans-serif; }
`;

/**
 * The options of the provider's form, without the account's keys; `title`: for its frame, whose own title is English.
 */
export const cardOptions = ({ card: words, form }: Pick<PayPageWords, 'card' | 'form'>) => ({
  title: form.cardDetails,
  options: {
    ...handlers,
    paymentFormId: CARD_FRAME_ID,
    allowAutoComplete: true,
    cardFormatted: true,
    enableAch: true,
    showValidationMessages: true,
    styles,
    // The provider's labels and error messages stay English.
    cardPlaceholder: words.cardNumber,
    expDatePlaceholder: words.expDate,
    cvcPlaceholder: words.csc,
    routingNumberPlaceholder: words.routingNumber,
    accountNumberPlaceholder: words.accountNumber,
    accountTypePlaceholder: words.accountType,
    individualNamePlaceholder: words.nameOnAccount,
  },
});

export type CardOptions = ReturnType<typeof cardOptions>;
