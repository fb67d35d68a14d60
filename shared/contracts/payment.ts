import type { SigningKind } from './payments/signing-values.ts';
import type { Wallet } from './payments/wallet-values.ts';
import type { BillLines } from './staff/account-settings.ts';

/** Form fields of the pay page with their labels, in the order of the form. */
export const payFields = {
  firstName: 'First Name',
  lastName: 'Last Name',
  address: 'Address',
  address2: 'Address2',
  city: 'City',
  state: 'State',
  zip: 'Zip',
  signature: 'Signature',
} as const;

export type PayField = keyof typeof payFields;

// Matches a visible character.
const VISIBLE = /[^\s\p{Cf}\p{Z}]/u;

export const isOptional = (field: PayField): boolean => field === 'address2';

/** True if a required field is empty, in the form and in the Worker. A value of the wrong type is a separate error. */
export const isMissing = (field: PayField, value: unknown): boolean =>
  !isOptional(field) && (value === undefined || value === null || (typeof value === 'string' && !VISIBLE.test(value)));

/** The fields that are omitted if the payer uses the address on file. */
export const addressFields = ['address', 'address2', 'city', 'state', 'zip'] as const satisfies PayField[];

/** Joins first and last name with single spaces. */
export const fullName = (firstName: string, lastName: string): string =>
  `${firstName} ${lastName}`.replace(/\s+/g, ' ').trim();

/** Introduces the labels of the empty fields. */
export const missingLead = 'Please fill in all required fields:';

/** Maximum text lengths. State and Zip are short but free text, because foreign cardholders pay too. */
export const payFieldLimits: Record<Exclude<PayField, 'signature'>, number> = {
  firstName: 100,
  lastName: 100,
  address: 200,
  address2: 200,
  city: 100,
  state: 20,
  zip: 20,
};

export type PaymentMethod = 'card' | 'ach';

/** Spelled as the card provider expects. */
export type AccountType = 'Checking' | 'Savings';

/**
 * Body of POST /api/invoices/takePaymentSDK/{payId}. The schema is in payment-request.ts, so that the pay page does not
 * load a validator. Unknown keys are dropped, and the amount is never taken from here.
 */
export type TakePaymentRequest = {
  /** `data:image/png;base64,…` */
  signature: string;
  /** Omitted for a drawn signature. `words`: the typed name, or the ticked sentence with the names in this body. */
  signing?: { kind: SigningKind; words?: string };
  firstName: string;
  lastName: string;
  address?: string;
  address2?: string;
  city?: string;
  state?: string;
  zip?: string;
  /** Replaces the five fields above: the payer confirms that the address on file belongs to the card. */
  addressOnFile?: true;
  /** The card provider's single-use token: its `mobile-jwt` object, or the bare jwt. */
  paymentDetails: string | { jwt: string; 'account-type'?: AccountType };
  paymentType?: PaymentMethod;
  /**
   * The token comes from this wallet, which knows the card's billing address: the five address fields are then omitted.
   * Requires `amountShown`.
   */
  wallet?: Wallet;
  /** Generated once per form by the browser; the same id is the same attempt. */
  attemptId?: string;
  /** The amount that the page showed ("184.00"); if the CRM's differs, nothing is charged. */
  amountShown?: string;
  /** Amount to pay now for an invoice in parts; the remainder if omitted. */
  part?: { amount: string };
};

/** State of an invoice in parts, as decimal text. `amountDue` is then the remainder. */
export type PayParts = {
  /** The total, and the amount paid. */
  base: string;
  paid: string;
  /** The paid parts, oldest first; `on` is YYYY-MM-DD at the business. Empty if they do not add up to `paid`. */
  taken: { amount: string; on: string }[];
  /** Permitted amounts besides the full remainder; null if none. */
  range: { least: string; most: string } | null;
  deposit: string | null;
  /** The only permitted amount during the day after a failed attempt; otherwise null. */
  only: string | null;
};

/** Options with which the provider's script draws Google's button. The sheet shows `total`. */
export type GooglePayOptions = {
  enableGooglePay: true;
  googlePayRequest: { total: { label: string; amount: string; type: 'final' } };
  googlePayButtonConfig: Record<'buttonColor' | 'buttonType' | 'buttonSizeMode' | 'buttonLocale', string>;
};

/**
 * The data that the Worker writes into the pay page for the island (`<script id="pay-view" type="application/json">`).
 */
export type PayView = {
  payId: string;
  state: 'ready' | 'pending';
  /** Time of the payment being confirmed, ISO 8601 UTC. */
  pendingSince?: string;
  /** Time from which a missing gateway record means not charged, ISO 8601 UTC. */
  pendingUntil?: string;
  /** Time of the last attempt if it was not charged, ISO 8601 UTC. */
  notChargedAt?: string;
  business: { name: string; phone: string; email: string };
  /** The business's time zone: every time on the page is shown in it. */
  timeZone: string;
  /** `amountDue`: null if unreadable. */
  invoice: { number: string; amountDue: string | null; currency: string; dueDate: string | null };
  parts?: PayParts;
  /**
   * A payment by bank account would be refused: the business takes none, the invoice is paid in installments, or an
   * earlier payment may still show up. This flag alone makes the provider's form omit bank accounts.
   */
  cardOnly?: true;
  /** The business accepts Apple Pay; the payer's device may still not offer it. */
  applePay?: true;
  /** The business accepts Google Pay, and the page may load Google's script. */
  googlePay?: true;
  customer: { firstName: string; lastName: string };
  /** The customer's address at the business, masked by the Worker ("4•• M•••• St, 46•••"); empty if it is incomplete. */
  addressOnFile: string;
  company: { name: string };
  /** Present only if the business shows bill lines to payers. */
  lines?: BillLines;
  sdk: {
    provider: string;
    scriptUrl: string;
    scriptObject: string;
    baseUrl: string;
    publicKey: string;
    sandbox: boolean;
    /** Further options of the provider's form, with which it draws Google's button; only with `googlePay`. */
    googlePay?: GooglePayOptions;
  };
};
