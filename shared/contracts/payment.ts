import type { SigningKind } from './payments/signing-values.ts';
import type { BillLines } from './staff/account-settings.ts';

/** Form fields of the pay page with the labels that the person sees; the order is the order of the form. */
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

// Has a visible character: not only spaces and invisible ones.
const VISIBLE = /[^\s\p{Cf}\p{Z}]/u;

export const isOptional = (field: PayField): boolean => field === 'address2';

/** Whether a required field has no value, for the form and for the Worker. A value of another type is a fault of its own. */
export const isMissing = (field: PayField, value: unknown): boolean =>
  !isOptional(field) && (value === undefined || value === null || (typeof value === 'string' && !VISIBLE.test(value)));

/** The fields that are left out where the payer pays by the address that the business has on file. */
export const addressFields = ['address', 'address2', 'city', 'state', 'zip'] as const satisfies PayField[];

/** First and last name as one, with single spaces. */
export const fullName = (firstName: string, lastName: string): string =>
  `${firstName} ${lastName}`.replace(/\s+/g, ' ').trim();

/** Before the labels of the fields that are empty. */
export const missingLead = 'Please fill in all required fields:';

/** How long a text may be; State and Zip are short but free, since foreign cardholders pay too. */
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

/** In the card provider's spelling. */
export type AccountType = 'Checking' | 'Savings';

/**
 * Body of POST /api/invoices/takePaymentSDK/{payId}; its schema is in payment-request.ts, so that the pay page does not
 * load a validator. Unknown keys are dropped: the amount is never taken from here.
 */
export type TakePaymentRequest = {
  /** `data:image/png;base64,…` */
  signature: string;
  /** Left out: the image was drawn. `words`: the typed name, or the sentence that was ticked, with the names in this body. */
  signing?: { kind: SigningKind; words?: string };
  firstName: string;
  lastName: string;
  address?: string;
  address2?: string;
  city?: string;
  state?: string;
  zip?: string;
  /** Instead of the five above: the payer says that the address on file is that of their card. */
  addressOnFile?: true;
  /** The card provider's single-use token: its `mobile-jwt` object, or the bare jwt. */
  paymentDetails: string | { jwt: string; 'account-type'?: AccountType };
  paymentType?: PaymentMethod;
  /** Made once per form by the browser; the same id is the same attempt. */
  attemptId?: string;
  /** The amount that the page showed ("184.00"); if the CRM's differs, nothing is charged. */
  amountShown?: string;
  /** Of an invoice in parts, what of it is paid now; left out: all that is left. */
  part?: { amount: string };
};

/** Of an invoice that is paid in parts; decimal text. `amountDue` is then what is left. */
export type PayParts = {
  /** What it comes to in all, and what of that is paid. */
  base: string;
  paid: string;
  /** The parts that `paid` is made of, first the oldest; `on` is YYYY-MM-DD at the business. Empty: they do not add up. */
  taken: { amount: string; on: string }[];
  /** What may be paid now besides all that is left; null: nothing else. */
  range: { least: string; most: string } | null;
  deposit: string | null;
  /** The only amount that is taken until a day after an attempt that came to nothing. */
  only: string | null;
};

/** The data that the Worker writes into the pay page for the island (`<script id="pay-view" type="application/json">`). */
export type PayView = {
  payId: string;
  state: 'ready' | 'pending';
  /** When the payment that is being confirmed was sent, ISO 8601 UTC. */
  pendingSince?: string;
  /** From when a gateway that has no trace of it is believed, ISO 8601 UTC. */
  pendingUntil?: string;
  /** When the last attempt was sent, if it turned out not to be charged, ISO 8601 UTC. */
  notChargedAt?: string;
  business: { name: string; phone: string; email: string };
  /** `amountDue` null: it cannot be read. */
  invoice: { number: string; amountDue: string | null; currency: string; dueDate: string | null };
  parts?: PayParts;
  /** A payment by bank account would be refused until tomorrow. */
  cardOnly?: true;
  customer: { firstName: string; lastName: string };
  /** The business has a complete address of the customer, which is never shown. */
  addressOnFile: boolean;
  company: { name: string };
  /** Only where the business shows payers what is on their bill. */
  lines?: BillLines;
  sdk: {
    provider: string;
    scriptUrl: string;
    scriptObject: string;
    baseUrl: string;
    publicKey: string;
    sandbox: boolean;
  };
};
