import { type Answer, type Question, unknown, yesIf } from './question.ts';
import { at, type Reply, type Talk } from './talk.ts';

const SALE = '/rest/v2/mobile/transactions/sale';
/** The provider's own test cards. */
const CARDS = { one: '4111111111111111', other: '5555555555554444', declined: '4000000000000002' } as const;
/** How far the clock of the gateway may be off, and how far another zone is at least. */
const NEAR_MS = 10 * 60_000;

async function cardToken(talk: Talk, card: string): Promise<string> {
  const body = { card, 'exp-date': '1249', csc: '999' };
  const headers = { 'public-key': talk.given('PROBE_GATEWAY_PUBLIC_KEY') };
  const reply = await talk.ask('POST', '/rest/v2/mobilejwt/manual', { body, headers });
  const jwt = at(reply.json, 'payload', 'mobile-jwt', 'jwt');
  if (jwt === '') throw new Error(`no card token: ${reply.status}`);
  return jwt;
}

type Sale = { jwt: string; invoice: string; amount?: string };
const sell = (talk: Talk, { jwt, invoice, amount = '1.01' }: Sale): Promise<Reply> =>
  talk.ask('POST', SALE, {
    headers: { mobilejwt: jwt },
    body: {
      type: 'SALE',
      amount,
      invoice,
      'order-id': crypto.randomUUID(),
      'check-field': 'invoice',
      'check-field-mid': true,
      'software-type': 'probe',
      'software-type-version': '1',
    },
  });

const fresh = () => `PROBE-${crypto.randomUUID().slice(0, 8)}`;
const idOf = ({ json }: Reply) => at(json, 'payload', 'transaction', 'id');

/** Whether two approved sales are one transaction; unknown where one of them was not approved. */
function isOne(first: Reply, second: Reply, wanted: 'same' | 'another'): Answer {
  const [a, b] = [idOf(first), idOf(second)];
  if (a === '' || (b === '' && second.status < 400)) return unknown(`answers ${first.status} and ${second.status}`);
  const isSame = a === b;
  const seen =
    b === ''
      ? `the second was refused with ${second.status}`
      : isSame
        ? 'both answers name one transaction'
        : 'two transactions';
  return yesIf(wanted === 'same' ? isSame : b !== '' && !isSame, seen);
}

export const gatewayQuestions: Question[] = [
  {
    id: 'repeat-is-by-invoice-and-amount',
    asks: 'check-field answers a second sale of the same invoice value and amount with the first, whatever card it is.',
    writes: true,
    async look(talk) {
      const invoice = fresh();
      const first = await sell(talk, { jwt: await cardToken(talk, CARDS.one), invoice });
      return isOne(first, await sell(talk, { jwt: await cardToken(talk, CARDS.other), invoice }), 'same');
    },
    yes: 'The second barrier against a double charge stands; parts may be switched on.',
    no: 'Only our own index keeps an invoice from being charged twice: leave parts off, and tell the provider.',
  },
  {
    id: 'another-amount-is-another-sale',
    asks: 'The same invoice value with another amount is charged.',
    writes: true,
    async look(talk) {
      const invoice = fresh();
      const first = await sell(talk, { jwt: await cardToken(talk, CARDS.one), invoice });
      return isOne(
        first,
        await sell(talk, { jwt: await cardToken(talk, CARDS.one), invoice, amount: '1.02' }),
        'another',
      );
    },
    yes: 'After a release the same amount alone may be tried for a day, as it is.',
    no: 'Each part needs a key of its own from the first on; leave parts off until then.',
  },
  {
    id: 'duplicates-include-the-invoice',
    asks: 'The terminal’s own rule against repeats is off, or looks at the invoice.',
    writes: false,
    async look(talk) {
      const reply = await talk.ask('GET', '/rest/v2/settings/transaction/duplicates');
      if (reply.status !== 200) return unknown(`${reply.status}`);
      const has = (name: string) => reply.text.includes(`"${name}":true`) || reply.text.includes(`"${name}":"true"`);
      const isOn = has('enabled');
      return yesIf(
        !isOn || has('include-invoice') || has('use-invoice-instead-of-card'),
        isOn ? reply.text.slice(0, 200) : 'the rule is off',
      );
    },
    yes: 'Nothing.',
    no: 'Two patients of one family with one card and equal bills would count as one: set include-invoice in the provider’s portal.',
  },
  {
    id: 'page-size-has-a-hyphen',
    asks: 'page-size limits a list.',
    writes: false,
    async look(talk) {
      const reply = await talk.ask('GET', '/rest/v2/transactions?level=merchant&page=1&page-size=1');
      if (reply.status === 204) return unknown('there is no transaction yet');
      const list = at(reply.json, 'payload', 'transactions', 'transaction');
      if (list === '') return unknown(`${reply.status}, the list is not where it should be`);
      return yesIf(
        (JSON.parse(list) as unknown[]).length === 1,
        `${(JSON.parse(list) as unknown[]).length} in the list`,
      );
    },
    yes: 'Nothing: both spellings are sent.',
    no: 'Nothing: both spellings are sent; mark the other as seen.',
  },
  {
    id: 'batches-are-nested',
    asks: 'Batches stand in payload.batches.batch.',
    writes: false,
    async look(talk) {
      const reply = await talk.ask('GET', '/rest/v2/batches?level=merchant');
      if (reply.status === 204) return unknown('there is no batch yet');
      return yesIf(
        at(reply.json, 'payload', 'batches', 'batch').startsWith('['),
        `${reply.status}, payload has ${Object.keys(JSON.parse(at(reply.json, 'payload') || '{}')).join(', ')}`,
      );
    },
    yes: 'Nothing: the product hands them through.',
    no: 'Look at worker/vendors/clearent/wire.ts: the list would be empty.',
  },
  {
    id: 'declines-are-errors',
    asks: 'A declined sale answers 402 with payloadType "error".',
    writes: true,
    async look(talk) {
      const reply = await sell(talk, { jwt: await cardToken(talk, CARDS.declined), invoice: fresh() });
      return yesIf(
        reply.status === 402 && at(reply.json, 'payload', 'payloadType') === 'error',
        `${reply.status} ${at(reply.json, 'payload', 'payloadType')}`,
      );
    },
    yes: 'Nothing.',
    no: 'Nothing where it is errorTransaction, which the product reads too; anything else is taken for unknown, so tell the developers.',
  },
  {
    id: 'declined-token-is-used-up',
    asks: 'A card token whose sale was declined cannot be used again.',
    writes: true,
    async look(talk) {
      const jwt = await cardToken(talk, CARDS.declined);
      await sell(talk, { jwt, invoice: fresh() });
      const second = await sell(talk, { jwt, invoice: fresh() });
      return yesIf(idOf(second) === '', `the second answers ${second.status}`);
    },
    yes: 'Nothing: the pay page makes a token for each press.',
    no: 'Nothing: the pay page makes a token for each press.',
  },
  {
    id: 'times-are-utc',
    asks: 'The time of a transaction is in UTC.',
    writes: true,
    async look(talk) {
      const invoice = fresh();
      await sell(talk, { jwt: await cardToken(talk, CARDS.one), invoice });
      const listed = await talk.ask('GET', `/rest/v2/transactions?level=merchant&invoice=${invoice}`);
      const created = at(listed.json, 'payload', 'transactions', 'transaction', 0, 'created');
      const time = Date.parse(/[zZ]$|[+-]\d\d:?\d\d$/.test(created) ? created : `${created.replace(' ', 'T')}Z`);
      if (Number.isNaN(time)) return unknown(`created is “${created}”`);
      const off = Math.round((talk.now() - time) / 60_000);
      return yesIf(Math.abs(off) * 60_000 <= NEAR_MS, `${off} minutes from now`);
    },
    yes: 'Nothing.',
    no: 'The search of a lost charge by time looks in the wrong hours: take payments only after worker/vendors/clearent/transaction.ts knows the zone.',
  },
];
