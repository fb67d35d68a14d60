/**
 * The words of the operator, as samples: `npm run deploy` builds with those of the environment's file instead
 * (site/content/operators-words.ts). The claims on the homepage are the operator's own; the software does not make them
 * true. Which cards the pay page names is in operator-cards.ts.
 */
export const operator = {
  name: 'Tillway',
  supportPhone: '(317) 555-0142',
  supportEmail: 'support@tillway.example',
  /** How long a bank (ACH) payment usually takes, as told to the payer. */
  bankPaymentDays: '3 to 5',
} as const;

/** What a claim covers and since when, an address that shows it, and the day on which somebody looked there. */
type Evidence = { claim: string; covers: string; since: string; url: string; seen: string };

/** What only pages and papers say of the operator; apart, so that no screen loads it. */
export const operatorClaims = {
  uptime: '99.9%',
  support: '24/7',
  merchants: '10k+',
  badges: ['PCI DSS', 'ISO 27001', 'GDPR'],
  /** The homepage says so beside them, everywhere but in production. */
  areSamples: true as boolean,
  evidence: [] as Evidence[],
} as const;
export const operatorLegal = { effectiveDate: 'December 8, 2024', governingLaw: 'Indiana' } as const;
/** Footer of a printed invoice until the business writes its own. */
export const INVOICE_FOOTER = 'Thank you for your trust. Please call us with any question about this invoice.';
