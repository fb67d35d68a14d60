/** How long, large or many what people send may be: texts in characters, files in bytes. The pay page's are in contracts/payment.ts. */

export const contentLimits = {
  title: 200,
  /** The last part of an article's address. */
  slug: 80,
  /** Bytes of a text's HTML. */
  content: 300_000,
  alt: 300,
  excerpt: 300,
  name: 100,
  /** Bytes of a file. */
  upload: 25_000_000,
  /** Narrower copies of an image that an upload may bring along. */
  variants: 3,
  /** Bytes that these copies and the fields of the form may have together. */
  beside: 8_000_000,
} as const;

export const merchantLimits = {
  /** The name under which a merchant trades. */
  tradingName: 100,
  /** Under every printed invoice. */
  footer: 500,
  /** Why a payment is taken back. */
  reason: 200,
  /** How a person knows what became of a payment. */
  note: 500,
} as const;

export const listLimits = {
  /** Rows of one page, and how many there are where nothing is said. */
  rows: 100,
  /** Words to search for, as a request may hold them, and as a screen lets them be typed. */
  words: 200,
  typedWords: 100,
} as const;

export const mailLimits = {
  /** Bytes of what the mail service tells of a mail. */
  webhook: 64_000,
} as const;

export const monitorLimits = {
  /** Bytes of a report, with two versions of the provider's script in base64. */
  report: 3_000_000,
  /** Bytes of a version of the provider's script. */
  script: 1_000_000,
  /** Entries of each list of a report, and characters of each of their texts. */
  entries: 200,
  text: 2_000,
  /** Hexadecimal digits of a SHA-256. */
  hash: 64,
  /** Why a version is approved. */
  reasonFrom: 10,
  reason: 500,
} as const;

/** Of the lines of a bill that a payer may see; paper has room for fewer. */
export const billLineLimits = { kept: 50, name: 200, printed: 12 };

/** How long (ms) what was asked for can be taken back before it happens. */
export const UNDO_MS = 10_000;
