/** The gateway's decision about a payment, from the vendor's published test rules. */
export type Outcome =
  | { kind: 'approved' }
  | { kind: 'declined'; code: string; message: string }
  /** Refused: the response has only an error, and nothing is recorded. */
  | { kind: 'refused'; status: 400 | 402 | 500; code: string; message: string };

/** The sub-dollar amounts that cause each result code, from the vendor's "Error Generation Data". */
const CENTS_BY_CODE: Record<string, number[]> = {
  '000': [49, 80, 81, 82],
  '003': [29],
  '004': [4, 5],
  '006': [40],
  '007': [1, 2],
  '008': [11, 32],
  '009': [14],
  '010': [36, 37, 38],
  '011': [31, 35, 39],
  '012': [21],
  '014': [23],
  '015': [43, 44],
  '016': [22, 25, 71],
  '018': [12, 13, 47],
  '021': [48],
  '022': [16],
  '023': [9, 15, 17],
  '024': [10],
  '027': [34],
  '030': [46],
  '031': [3],
  '032': [54],
};

const MESSAGES: Record<string, string> = {
  '003': 'Card expired',
  '004': 'Card expired',
  '006': 'PIN tries exceeded',
  '007': 'Refer to card issuer',
  '008': 'Invalid amount',
  '009': 'Invalid card number',
  '010': 'Account not found',
  '011': 'Invalid request',
  '012': 'Insufficient funds',
  '014': 'Over the limit',
  '015': 'Transaction not permitted',
  '016': 'Exceeds frequency limit',
  '018': 'Invalid PIN',
  '021': 'Invalid security code',
  '022': 'Invalid cashback amount',
  '023': 'Declined by issuer',
  '024': 'Already reversed',
  '027': 'Original transaction not found',
  '030': 'Invalid merchant',
  '031': 'Transaction did not complete, please retry',
  '032': 'Duplicate Transaction',
};

/** The codes that come with HTTP status 400. The meaning of a code also depends on the status. */
const BAD_REQUESTS = new Set(['009', '011', '018', '022']);

const codeByCents = new Map(
  Object.entries(CENTS_BY_CODE).flatMap(([code, amounts]) => amounts.map((cents) => [cents, code] as const)),
);

/** Approves $1.00 and more. Below that, the table decides; unlisted amounts are declined. */
export function outcomeOfAmount(cents: number): Outcome {
  if (cents >= 100) return { kind: 'approved' };
  const code = codeByCents.get(cents) ?? '023';
  if (code === '000') return { kind: 'approved' };
  const message = MESSAGES[code] ?? 'Declined';
  if (BAD_REQUESTS.has(code)) return { kind: 'refused', status: 400, code, message };
  if (code === '032') return { kind: 'refused', status: 402, code, message };
  return { kind: 'declined', code, message };
}

export type CardBehaviour = 'approve' | 'decline' | 'error-500';

const BEHAVIOUR_BY_CARD: Record<string, CardBehaviour> = {
  '4000000000000002': 'decline',
  '4000000000000119': 'error-500',
};

export const behaviourOfCard = (digits: string): CardBehaviour => BEHAVIOUR_BY_CARD[digits] ?? 'approve';

/** The test card that causes a 500 leaves no record, so a later lookup finds nothing. */
export function outcomeOf(cents: number, behaviour: string): Outcome {
  if (behaviour === 'error-500') return { kind: 'refused', status: 500, code: '050', message: 'Internal error' };
  if (behaviour === 'decline') return { kind: 'declined', code: '023', message: 'Card declined' };
  return outcomeOfAmount(cents);
}

/** Return codes and their messages. A debit is returned if its account number ends in the digits of a code. */
const RETURN_MESSAGES: Record<string, string> = {
  R01: 'Insufficient funds',
  R02: 'Account closed',
  R03: 'No account, unable to locate account',
  R16: 'Account frozen',
};

export const returnCodeOf = (account: string): string | null =>
  `R${account.slice(-2)}` in RETURN_MESSAGES ? `R${account.slice(-2)}` : null;
export const returnMessage = (code: string) => RETURN_MESSAGES[code] ?? 'Returned';
