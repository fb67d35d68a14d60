import type { PayPageWords } from '#shared/words/pay-words';

export const CARD_FRAME_ID = 'payment-form';
/**
 * The id of the page's JSON script with the options. The early script that opens the card form and the form itself use
 * it.
 */
export const CARD_OPTIONS_ID = 'card-options';

/** The names on `window` of the callbacks for the provider. */
export const callbackNames = {
  successCallback: 'tillwayCardToken',
  errorCallback: 'tillwayCardError',
  validationCallback: 'tillwayCardValidation',
  paymentTypeCallback: 'tillwayPaymentType',
} as const;

type Palette = Record<
  'text' | 'label' | 'ground' | 'sunken' | 'edge' | 'hint' | 'focus' | 'error' | 'errorEdge' | 'chosen',
  string
>;

/** The values of site/styles/tokens.css, which the frame cannot use since it is a separate document. */
const LIGHT_PALETTE: Palette = {
  text: '#13221d',
  label: '#42514c',
  ground: '#ffffff',
  sunken: '#f0f5f3',
  edge: '#7c8a84',
  hint: '#596762',
  focus: '#0462d3',
  error: '#9c211f',
  errorEdge: '#b72121',
  chosen: '#01402f',
};
const DARK_PALETTE: Palette = {
  text: '#e8efec',
  label: '#b6c1bd',
  ground: '#121a18',
  sunken: '#0b1110',
  edge: '#6a7874',
  hint: '#9aa6a2',
  focus: '#75bffc',
  error: '#fdb0ad',
  errorEdge: '#f67974',
  chosen: '#b3edd3',
};

const stylesFor = ({ text, label, ground, sunken, edge, hint, focus, error, errorEdge, chosen }: Palette) => `
html, body { background: ${ground}; }
body { font: 400 16px/24px system-ui, sans-serif; color: ${text}; }
label { font: 500 14px/20px system-ui, sans-serif; color: ${text}; }
input, select { height: 44px; padding: 0 12px; border: 1px solid ${edge}; border-radius: 8px; background: ${ground}; color: ${text}; font: 400 16px/24px system-ui, sans-serif; }
input::placeholder { color: ${hint}; opacity: 1; }
input:hover, select:hover { border-color: ${label}; }
input:focus, select:focus { outline: 2px solid ${focus}; outline-offset: 2px; }
input[aria-invalid="true"], input.error { border: 2px solid ${errorEdge}; }
.error, .validation-message { color: ${error}; font: 500 14px/20px system-ui, sans-serif; }
[role="tablist"] { background: ${sunken}; }
[role="tab"] { color: ${label}; }
[role="tab"][aria-selected="true"] { background: ${ground}; color: ${chosen}; }
`;

/**
 * Returns the options of the provider's form, without the account's keys. `title` is for the frame, whose own title is
 * in English.
 */
export const cardOptions = ({ card: words, form }: Pick<PayPageWords, 'card' | 'form'>) => ({
  title: form.cardDetails,
  /** Replaces `styles` in the dark theme. */
  dark: stylesFor(DARK_PALETTE),
  options: {
    ...callbackNames,
    paymentFormId: CARD_FRAME_ID,
    allowAutoComplete: true,
    cardFormatted: true,
    enableAch: true,
    showValidationMessages: true,
    styles: stylesFor(LIGHT_PALETTE),
    // The provider's script accepts placeholders, but no labels or language. Its labels and messages are in English.
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
