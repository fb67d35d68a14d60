import type { OperatorWords } from './environment-file.ts';
import type { RemoteName } from './environment-name.ts';

/** What the modules of the operator's words export in an environment; their samples are in shared/. */
export function operatorModules(name: RemoteName, words: OperatorWords) {
  const { supportPhone, supportEmail, bankPaymentDays, uptime, support, merchants, badges, evidence } = words;
  return {
    'shared/operator.ts': {
      operator: { name: words.name, supportPhone, supportEmail, bankPaymentDays },
      operatorClaims: { uptime, support, merchants, badges, areSamples: name !== 'production', evidence },
      operatorLegal: { effectiveDate: words.effectiveDate, governingLaw: words.governingLaw },
      INVOICE_FOOTER: words.invoiceFooter,
    },
    'shared/operator-cards.ts': { operatorCards: words.cards },
  };
}
