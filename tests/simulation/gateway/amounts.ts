import type { Fault } from './faults.ts';

export type Decline = { code: string; message: string };

/** G10: what the provider's test environment makes of amounts under one dollar, in cents. */
const BY_CENTS: Record<number, string> = {
  3: '031',
  4: '004',
  5: '004',
  9: '023',
  11: '008',
  12: '018',
  14: '009',
  21: '012',
  23: '014',
  29: '003',
  34: '027',
  40: '006',
  46: '030',
  48: '021',
};

const SENTENCES: Record<string, string> = {
  '003': 'Card expired',
  '012': 'Not sufficient funds',
  '031': 'Did not complete, try again',
  '057': 'Issuer timed out',
};

/** Why a charge of so many cents is declined; null where it is approved. */
export function declineOf(cents: number, fault: Fault | null, isRefusedByCard: boolean): Decline | null {
  const code = codeOf(cents, fault, isRefusedByCard);
  return code === null ? null : { code, message: SENTENCES[code] ?? 'Declined by the issuer' };
}

function codeOf(cents: number, fault: Fault | null, isRefusedByCard: boolean): string | null {
  if (fault === 'issuer-silent') return '057';
  if (fault === 'declined' || isRefusedByCard) return '023';
  return cents >= 100 ? null : (BY_CENTS[cents] ?? '023');
}
