import { INVOICE_FOOTER, operator, operatorClaims, operatorLegal } from '#shared/operator';
import { operatorCards } from '#shared/operator-cards';
import type { PublicFile } from './environment-file.ts';

/** An environment that exists nowhere, for a rehearsal without a file: the names of wrangler.toml and the sample words. */
export const sampleFile: PublicFile = {
  worker: 'tillway',
  database: { name: 'tillway', id: '00000000-0000-0000-0000-000000000001' },
  buckets: { media: 'tillway-media', anchors: 'tillway-audit-anchors', backups: 'tillway-backups' },
  placement: '',
  operator: {
    ...operator,
    uptime: operatorClaims.uptime,
    support: operatorClaims.support,
    merchants: operatorClaims.merchants,
    badges: [...operatorClaims.badges],
    ...operatorLegal,
    invoiceFooter: INVOICE_FOOTER,
    cards: [...operatorCards],
    evidence: [...operatorClaims.evidence],
  },
};
