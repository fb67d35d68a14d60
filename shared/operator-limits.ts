/** How long or large what operators send may be; apart from limits.ts, so that nobody else loads it. */
export const operatorLimits = {
  name: 100,
  /** A code that makes an operator. */
  code: 100,
  /** The key of an alert, or the id of a mail. */
  key: 300,
  /** Why payments are paused or resumed. */
  reasonFrom: 5,
  reason: 200,
  /** Bytes of a request. */
  body: 20_000,
  /** Clinics on a page. */
  page: 50,
} as const;
