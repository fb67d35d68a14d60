import { type Answer, unknown, yesIf } from './question.ts';
import { at, type Reply, type Talk } from './talk.ts';

const SALE = '/rest/v2/mobile/transactions/sale';
/** Test cards. In the provider's sandbox, the amount determines the outcome of a sale. */
export const CARDS = { one: '4111111111111111', other: '5555555555554444' } as const;
export const DECLINED = '0.09';

export async function cardToken(talk: Talk, card: string): Promise<string> {
  const body = { card, 'exp-date': '1249', csc: '999' };
  const headers = { 'public-key': talk.input('PROBE_GATEWAY_PUBLIC_KEY') };
  const reply = await talk.ask('POST', '/rest/v2/mobilejwt/manual', { body, headers });
  const jwt = at(reply.json, 'payload', 'mobile-jwt', 'jwt');
  if (jwt === '') throw new Error(`no card token: ${reply.status}`);
  return jwt;
}

/** Members of every sale; a repeat of the same invoice and amount is answered with the first sale. */
export const saleBody = (invoice: string, amount = '1.01') => ({
  type: 'SALE',
  amount,
  invoice,
  'order-id': crypto.randomUUID(),
  'check-field': 'invoice',
  'check-field-mid': true,
  'software-type': 'probe',
  'software-type-version': '1',
});

type Sale = { jwt: string; invoice: string; amount?: string; keepsCard?: boolean };

export const sell = (talk: Talk, { jwt, invoice, amount, keepsCard = false }: Sale): Promise<Reply> =>
  talk.ask('POST', SALE, {
    headers: { mobilejwt: jwt },
    body: { ...saleBody(invoice, amount), ...(keepsCard && { 'create-token': 'true' }) },
  });

export const makeId = () => `PROBE-${crypto.randomUUID().slice(0, 8)}`;
export const idOf = ({ json }: Reply) => at(json, 'payload', 'transaction', 'id');

/** Compares the transactions of two sales; unknown if either has no clear outcome. */
export function compareSales(first: Reply, second: Reply, expected: 'same' | 'another'): Answer {
  const [a, b] = [idOf(first), idOf(second)];
  if (a === '' || (b === '' && second.status < 400)) return unknown(`answers ${first.status} and ${second.status}`);
  const isSame = a === b;
  const detail =
    b === ''
      ? `the second was refused with ${second.status}`
      : isSame
        ? 'both answers name one transaction'
        : 'two transactions';
  return yesIf(expected === 'same' ? isSame : b !== '' && !isSame, detail);
}
