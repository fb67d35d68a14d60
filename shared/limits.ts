/**
 * Limits for user input: text in characters, files in bytes. Those of the pay form are in contracts/payment.ts; amounts
 * and rates that an operator may set are in worker/env.ts.
 */

export const contentLimits = {
  title: 200,
  /** The last part of an article's URL. */
  slug: 80,
  /** Bytes of a text's HTML. */
  content: 300_000,
  alt: 300,
  excerpt: 300,
  name: 100,
  /** Bytes of a file. */
  upload: 25_000_000,
  /** Maximum number of narrower copies of an image in an upload. */
  variants: 3,
  /** Total bytes of those copies and the form fields. */
  otherParts: 8_000_000,
} as const;

export const merchantLimits = {
  /** The trading name of a merchant. */
  tradingName: 100,
  /** Footer of every printed invoice. */
  footer: 500,
  /** Reason for a reversal. */
  reason: 200,
  /** The staff member's evidence for the outcome of a payment. */
  note: 500,
} as const;

export const listLimits = {
  /** Maximum and default number of rows on a page. */
  rows: 100,
  /** Maximum length of a search text in a request, and in a search field. */
  words: 200,
  typedWords: 100,
} as const;

export const mailLimits = {
  /** Bytes of a webhook from the mail service. */
  webhook: 64_000,
} as const;

export const monitorLimits = {
  /** Bytes of a report, with two versions of third-party scripts in base64. */
  report: 3_000_000,
  /** Bytes of a version of a third-party script. */
  script: 1_000_000,
  /** Entries of each list of a report, and characters of each of their texts. */
  entries: 200,
  text: 2_000,
  /** Hexadecimal digits of a SHA-256. */
  hash: 64,
  /** Reason for the approval of a version. */
  reasonMin: 10,
  reason: 500,
} as const;

/** Limits for bill lines shown to payers; printed receipts have room for fewer. */
export const billLineLimits = { stored: 50, name: 200, printed: 12 };

/** Time to undo a request before it is carried out (ms). */
export const UNDO_MS = 10_000;
