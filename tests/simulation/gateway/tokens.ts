import type { WireAnswer } from '../vendor.ts';
import { type GatewayCall, textOf } from './calls.ts';
import type { Books } from './gateway-records.ts';
import type { TokenCard } from './truth.ts';
import { failure, success } from './wire.ts';

export type Token = { merchantId: string; card: TokenCard; lastFour: string; expiresAt: number; isUsed: boolean };

export type Tokens = ReturnType<typeof createTokens>;

const NUMBERS: Record<TokenCard, string> = {
  approves: '4111111111111111',
  declines: '4000000000000002',
  fails: '4000000000000119',
  ach: '1234567890',
};

export const cardOf = (number: string): TokenCard =>
  number === NUMBERS.declines ? 'declines' : number === NUMBERS.fails ? 'fails' : 'approves';

/** G8: tokens of cards and bank accounts, which are single-use and expire. */
export function createTokens(books: Books) {
  const tokens = new Map<string, Token>();
  let issuedCount = 0;

  function issue(terminalId: string, card: TokenCard, number = NUMBERS[card]): string {
    const expiresAt = books.world.now() + books.knobs.tokenLifeMs;
    const lastFour = number.slice(-4);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    issuedCount += 1;
    const exp = Math.floor(expiresAt / 1000);
    const claims = { 'last-four': lastFour, type: 'MANUAL', exp, token: String(issuedCount) };
    const jwt = `${part({ alg: 'HS256' })}.${part(claims)}.${part({ made: issuedCount })}`;
    const { merchant } = books.terminal(terminalId);
    tokens.set(jwt, { merchantId: merchant.merchantId, card, lastFour, expiresAt, isUsed: false });
    return jwt;
  }

  return {
    issue,

    /** The token of a sale, or the refusal of an unusable token, which charges nothing. */
    check(call: GatewayCall): Token | WireAnswer {
      const isDebit = call.call === 'ach-sale';
      const token = tokens.get(call.headers.get(isDebit ? 'achmobilejwt' : 'mobilejwt') ?? '');
      if (!token || token.merchantId !== call.merchant.merchantId || (token.card === 'ach') !== isDebit) {
        return refuseToken(books, 'token-refused');
      }
      if (token.isUsed) return refuseToken(books, 'token-used');
      return token.expiresAt <= books.world.now() ? refuseToken(books, 'token-expired') : token;
    },

    /** The call of the card fields (G8). It does not contact the card's issuer. */
    answerManual(call: GatewayCall): WireAnswer {
      const number = textOf(call.body, 'card')?.replaceAll(' ', '') ?? '';
      if (!/^\d{12,19}$/.test(number) || !/^\d{4}$/.test(textOf(call.body, 'exp-date') ?? '')) {
        const refusal = { status: 400, code: '009', message: 'Invalid card number or expiration date' };
        return failure(books.nextExchange(), books.world.now(), refusal);
      }
      const jwt = issue(call.terminal.terminalId, cardOf(number), number);
      const payload = { payloadType: 'mobile-jwt', 'mobile-jwt': { jwt, 'last-four': number.slice(-4) } };
      return success(books.nextExchange(), payload);
    },
  };
}

const MESSAGES = {
  'token-refused': 'The mobile jwt is not valid',
  'token-expired': 'The mobile jwt has expired',
  'token-used': 'The mobile jwt has already been used',
};

const CODE_SUFFIXES = { 'token-refused': 'invalid', 'token-expired': 'expired', 'token-used': 'used' };

export function refuseToken(books: Books, reason: keyof typeof MESSAGES): WireAnswer {
  const refusal = { status: 400, code: `mobile-jwt-${CODE_SUFFIXES[reason]}`, message: MESSAGES[reason] };
  return failure(books.nextExchange(), books.world.now(), refusal);
}

export function isAnswer(value: object): value is WireAnswer {
  return 'status' in value && 'body' in value && 'headers' in value && typeof value.body === 'string';
}
