import type { Fault } from './faults.ts';

export type Decline = { code: string; message: string; isBadRequest: boolean };

/** G10: result codes of the provider's test environment for amounts under one dollar, in cents. */
const BY_CENTS: [code: string, ...cents: number[]][] = [
  ['003', 29],
  ['004', 4, 5],
  ['006', 40],
  ['007', 1, 2],
  ['008', 11, 32],
  ['009', 14],
  ['010', 36, 37, 38],
  ['011', 31, 35, 39],
  ['012', 21],
  ['014', 23],
  ['015', 43, 44],
  ['016', 22, 25, 71],
  ['018', 12, 13, 47],
  ['021', 48],
  ['022', 16],
  ['024', 10],
  ['027', 34],
  ['030', 46],
  ['031', 3],
];

/** These codes come with 400 and leave no transaction. */
const BAD_REQUESTS = new Set(['009', '011', '018', '022']);

const MESSAGES: Record<string, string> = {
  '003': 'Card expired',
  '012': 'Not sufficient funds',
  '031': 'Did not complete, try again',
  '057': 'Issuer timed out',
};

/** The decline of a charge; null if it is approved. */
export function declineOf(cents: number, fault: Fault | null, isRefusedByCard: boolean): Decline | null {
  const code = codeOf(cents, fault, isRefusedByCard);
  if (code === null) return null;
  return { code, message: MESSAGES[code] ?? 'Declined by the issuer', isBadRequest: BAD_REQUESTS.has(code) };
}

function codeOf(cents: number, fault: Fault | null, isRefusedByCard: boolean): string | null {
  if (fault === 'issuer-silent') return '057';
  if (fault === 'declined' || isRefusedByCard) return '023';
  if (cents >= 100) return null;
  return BY_CENTS.find(([, ...codeCents]) => codeCents.includes(cents))?.[0] ?? '023';
}
