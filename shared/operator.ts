/**
 * Sample texts of the operator: `npm run deploy` builds with the texts of the environment file instead
 * (site/content/operator-texts.ts). The claims on the homepage are the operator's own and are not guaranteed by the
 * software. The cards on the pay page are in operator-cards.ts.
 */
export const operator = {
  name: 'Tillway',
  supportPhone: '(317) 555-0142',
  supportEmail: 'support@tillway.example',
  /** Usual duration of a bank (ACH) payment, as shown to the payer. */
  bankPaymentDays: { least: 3, most: 5 },
} as const;

/** The scope and start of a claim, a URL that proves it, and the day of the last check. */
type Evidence = { claim: string; covers: string; since: string; url: string; seen: string };

/** Claims for site pages and documents only; separate so that no screen loads them. */
export const operatorClaims = {
  uptime: '99.9%',
  support: '24/7',
  merchants: '10k+',
  badges: ['PCI DSS', 'ISO 27001', 'GDPR'],
  /** If true, the homepage marks them as samples, except in production. */
  areSamples: true as boolean,
  evidence: [] as Evidence[],
} as const;
export const operatorLegal = { effectiveDate: 'December 8, 2024', governingLaw: 'Indiana' } as const;
/** Default footer of a printed invoice. */
export const INVOICE_FOOTER = 'Thank you for your trust. Please call us with any question about this invoice.';
