import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { World } from '#sandbox/world';
import { behaviourOfCard, returnCodeOf } from '../outcomes.ts';
import { findTerminalByPublicKey } from '../terminals/terminals.ts';
import { GatewayProblem, success } from '../wire.ts';

const SIGNING_SECRET = 'sandbox-mobile-jwt-signing-secret';
/** Our choice, since the vendor publishes no lifetime. */
const TOKEN_LIFETIME_S = 15 * 60;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signature = (text: string) => createHmac('sha256', SIGNING_SECRET).update(text).digest();

export type CardToken = {
  id: number;
  merchant_id: string;
  last_four: string;
  card_type: string;
  exp_date: string;
  behaviour: string;
  isWallet: boolean;
};

const tokenProblem = (slug: string, message: string) => new GatewayProblem(400, `mobile-jwt-${slug}`, message);

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function cardTypeOf(digits: string): string {
  if (/^3[47]/.test(digits)) return 'AMEX';
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'MASTERCARD';
  if (/^6(011|5)/.test(digits)) return 'DISCOVER';
  return 'VISA';
}

/** Returns the properties that follow from the card number alone. */
export const factsOfCard = (digits: string) => ({
  last_four: digits.slice(-4),
  card_type: cardTypeOf(digits),
  behaviour: behaviourOfCard(digits),
});

function isExpired(expDate: string, now: number): boolean {
  const month = Number(expDate.slice(0, 2));
  if (month < 1 || month > 12) return true;
  return Date.UTC(2000 + Number(expDate.slice(2)), month, 1) <= now;
}

const WALLETS = ['APPLE_PAY', 'GOOGLE_PAY'] as const;

const CardInput = z.object({
  card: z.string(),
  'exp-date': z.string(),
  csc: z.string().optional(),
  /** Set for a card from the simulated sheet of a wallet. */
  wallet: z.enum(WALLETS).optional(),
});
const BankInput = z.object({
  'routing-number': z.string(),
  'account-number': z.string(),
  'account-type': z.enum(['Checking', 'Savings']),
  'individual-name': z.string().trim().min(1),
});

function createToken(
  world: World,
  kind: 'card' | 'ach',
  merchantId: string,
  facts: Omit<CardToken, 'id' | 'merchant_id' | 'isWallet'>,
  type: string,
) {
  const now = world.now();
  world.store.run('DELETE FROM card_tokens WHERE expires_ms < ?', now - 24 * 3_600_000);
  const expiresS = Math.floor(now / 1000) + TOKEN_LIFETIME_S;
  // A JSON number still represents 16 digits exactly.
  const token = `${randomInt(1_000_000, 9_000_000)}${randomInt(100_000_000, 999_999_999)}`;
  world.store.run(
    `INSERT INTO card_tokens (token, kind, merchant_id, last_four, card_type, exp_date, behaviour, expires_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    token,
    kind,
    merchantId,
    facts.last_four,
    facts.card_type,
    facts.exp_date,
    facts.behaviour,
    expiresS * 1000,
  );
  const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ 'last-four': facts.last_four, type, exp: expiresS, token: Number(token) })}`;
  return `${unsigned}.${signature(unsigned).toString('base64url')}`;
}

function requireMerchant(world: World, publicKey: string | undefined): string {
  const terminal = publicKey ? findTerminalByPublicKey(world, publicKey) : undefined;
  if (!terminal) throw new GatewayProblem(401, '042', 'UNAUTHORIZED');
  return terminal.merchant_id;
}

const tokenAnswer = (jwt: string, lastFour: string, cardType: string, extra: Record<string, string> = {}) =>
  success('mobile-jwt', {
    payloadType: 'mobile-jwt',
    'mobile-jwt': { jwt, 'last-four': lastFour, 'card-type': cardType, ...extra },
  });

/** Creates a token for a card. To deter card testers, it deliberately does not check the card with its issuer. */
export function tokenForCard(world: World, publicKey: string | undefined, body: unknown) {
  const merchantId = requireMerchant(world, publicKey);
  const input = CardInput.safeParse(body);
  if (!input.success) throw tokenProblem('invalid-request', 'Card number and expiration date are required');
  const digits = input.data.card.replace(/[\s-]/g, '');
  const expDate = input.data['exp-date'].replace('/', '');
  const cardType = cardTypeOf(digits);
  if (!/^\d{13,19}$/.test(digits) || !passesLuhn(digits))
    throw tokenProblem('invalid-card-number', 'Invalid card number');
  if (!/^\d{4}$/.test(expDate) || isExpired(expDate, world.now()))
    throw tokenProblem('invalid-expiration-date', 'Invalid expiration date');
  const csc = input.data.csc ?? '';
  if (csc !== '' && !new RegExp(`^\\d{${cardType === 'AMEX' ? 4 : 3}}$`).test(csc))
    throw tokenProblem('invalid-csc', 'Invalid security code');
  const lastFour = digits.slice(-4);
  const jwt = createToken(
    world,
    'card',
    merchantId,
    { ...factsOfCard(digits), exp_date: expDate },
    input.data.wallet ?? 'MANUAL',
  );
  return tokenAnswer(jwt, lastFour, cardType);
}

/**
 * Creates a token for a bank account. The vendor does not document the response, so it is that of a card with the
 * account type.
 */
export function tokenForBank(world: World, publicKey: string | undefined, body: unknown) {
  const merchantId = requireMerchant(world, publicKey);
  const input = BankInput.safeParse(body);
  if (!input.success)
    throw tokenProblem('invalid-request', 'Routing number, account number, account type and name are required');
  if (!isRoutingNumber(input.data['routing-number']))
    throw tokenProblem('invalid-routing-number', 'Invalid routing number');
  const account = input.data['account-number'];
  if (!/^\d{4,17}$/.test(account)) throw tokenProblem('invalid-account-number', 'Invalid account number');
  const lastFour = account.slice(-4);
  const tokenFields = {
    last_four: lastFour,
    card_type: 'ACH',
    exp_date: '',
    behaviour: returnCodeOf(account) ?? 'approve',
  };
  return tokenAnswer(createToken(world, 'ach', merchantId, tokenFields, 'ACH'), lastFour, 'ACH', {
    'account-type': input.data['account-type'],
  });
}

/** Checks the ABA checksum. */
function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const weights = [3, 7, 1];
  return [...text].reduce((sum, digit, index) => sum + Number(digit) * (weights[index % 3] ?? 0), 0) % 10 === 0;
}

function isSignedHere(jwt: string): boolean {
  const dot = jwt.lastIndexOf('.');
  const providedSignature = Buffer.from(jwt.slice(dot + 1), 'base64url');
  const expectedSignature = signature(jwt.slice(0, dot));
  return providedSignature.length === expectedSignature.length && timingSafeEqual(providedSignature, expectedSignature);
}

const Claims = z.object({ token: z.number(), type: z.string() });

/** Reads a token without consuming it. Throws 400 if it is used, expired, forged or belongs to another merchant. */
export function openToken(world: World, jwt: string | undefined, kind: 'card' | 'ach', merchantId: string): CardToken {
  if (!jwt) throw tokenProblem('missing', `Header ${kind === 'card' ? 'mobilejwt' : 'achmobilejwt'} is required`);
  if (!isSignedHere(jwt)) throw tokenProblem('invalid', 'Mobile JWT is invalid');
  const claims = Claims.safeParse(JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()));
  const row = world.store.get<Omit<CardToken, 'isWallet'> & { expires_ms: number; used: number }>(
    'SELECT id, merchant_id, last_four, card_type, exp_date, behaviour, expires_ms, used FROM card_tokens WHERE token = ? AND kind = ?',
    String(claims.data?.token),
    kind,
  );
  if (!row || row.merchant_id !== merchantId) throw tokenProblem('invalid', 'Mobile JWT is invalid');
  if (row.expires_ms <= world.now()) throw tokenProblem('expired', 'Mobile JWT has expired');
  if (row.used) throw tokenProblem('used', 'Mobile JWT has already been used');
  return { ...row, isWallet: WALLETS.some((wallet) => wallet === claims.data?.type) };
}

export function useToken(world: World, token: CardToken) {
  world.store.run('UPDATE card_tokens SET used = 1 WHERE id = ?', token.id);
}
