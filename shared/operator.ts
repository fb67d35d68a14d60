/**
 * Facts about the operator of this installation: edit this file and rebuild. The claims on the homepage are the
 * operator's own; the software does not make them true.
 */
export const operator = {
  name: 'Tillway',
  supportPhone: '(317) 555-0142',
  supportEmail: 'support@tillway.example',
  claims: {
    uptime: '99.9%',
    support: '24/7',
    merchants: '10k+',
    badges: ['PCI DSS', 'ISO 27001', 'GDPR'],
  },
  legal: { effectiveDate: 'December 8, 2024', governingLaw: 'Indiana' },
  /** Footer of a printed invoice until the business writes its own. */
  invoiceFooter: 'Thank you for your trust. Please call us with any question about this invoice.',
  /** How long a bank (ACH) payment usually takes, as told to the payer. */
  bankPaymentDays: '3 to 5',
} as const;
