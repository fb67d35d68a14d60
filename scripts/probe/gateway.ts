import { batchIdOf, minuteOf } from '#worker/vendors/clearent/transaction';
import { type Answer, type Question, unknown, yesIf } from './question.ts';
import { at, type Reply, type Talk } from './talk.ts';

const SALE = '/rest/v2/mobile/transactions/sale';
const TERMINAL = '/rest/v2/settings/terminal';
const LIST = '/rest/v2/transactions?level=merchant';
/** Test cards. In the provider's sandbox, the amount determines the outcome of a sale. */
const CARDS = { one: '4111111111111111', other: '5555555555554444' } as const;
const DECLINED = '0.09';
const CALLS_IN_A_ROW = 20;
/** Required lifetime of a token. It is normally used within seconds; the rest is for a slow phone. */
const TOKEN_LASTS_S = 120;
/** Maximum clock skew of the gateway; less than the smallest difference between time zones. */
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

/** Compares the transactions of two sales; unknown if either has no clear outcome. */
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
      const reply = await talk.ask('GET', `${LIST}&page=1&page-size=1`);
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
      const reply = await sell(talk, { jwt: await cardToken(talk, CARDS.one), invoice: fresh(), amount: DECLINED });
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
      const jwt = await cardToken(talk, CARDS.one);
      const first = await sell(talk, { jwt, invoice: fresh(), amount: DECLINED });
      if (first.status !== 402) return unknown(`the first sale is not declined: ${first.status}`);
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
      const listed = await talk.ask('GET', `${LIST}&invoice=${invoice}`);
      const created = at(listed.json, 'payload', 'transactions', 'transaction', 0, 'created');
      const time = Date.parse(/[zZ]$|[+-]\d\d:?\d\d$/.test(created) ? created : `${created.replace(' ', 'T')}Z`);
      if (Number.isNaN(time)) return unknown(`created is “${created}”`);
      const off = Math.round((talk.now() - time) / 60_000);
      return yesIf(Math.abs(off) * 60_000 <= NEAR_MS, `${off} minutes from now`);
    },
    yes: 'Nothing.',
    no: 'The search of a lost charge by time looks in the wrong hours: take payments only after worker/vendors/clearent/transaction.ts knows the zone.',
  },
  {
    id: 'key-goes-as-api-key',
    asks: 'A terminal’s key is taken in the header api-key.',
    writes: false,
    async look(talk) {
      const { status } = await talk.ask('GET', TERMINAL);
      return status === 200 || status === 401 || status === 403
        ? yesIf(status === 200, `${status}`)
        : unknown(`${status}`);
    },
    yes: 'Nothing.',
    no: 'Where the key is right, every payment would be refused: worker/vendors/clearent/http.ts has to send AccessKey.',
  },
  {
    id: 'merchant-id-is-the-boarded-number',
    asks: 'The gateway names a merchant by the number of 16 digits that boarding gave.',
    writes: false,
    async look(talk) {
      const reply = await talk.ask('GET', TERMINAL);
      const id = at(reply.json, 'payload', 'terminal-settings', 'merchant-id');
      return id === ''
        ? unknown(`${reply.status}, no merchant-id`)
        : yesIf(/^\d{16}$/.test(id), `${id.length} characters`);
    },
    yes: 'Nothing: a terminal’s key is held against that number before it is kept.',
    no: 'Terminals of a clinic that is boarded would be refused as another merchant’s: no clinic signs up before worker/domain/merchants/boarding.ts knows how the numbers belong together.',
  },
  {
    id: 'batch-numbers-agree',
    asks: 'The batch that a transaction names is one in the list of batches, leading zeros aside.',
    writes: false,
    async look(talk) {
      const sales = await talk.ask('GET', LIST);
      const batches = await talk.ask('GET', '/rest/v2/batches?level=merchant&page-size=100');
      const named = valuesOf(at(sales.json, 'payload', 'transactions', 'transaction'), 'batch-string-id');
      const known = valuesOf(at(batches.json, 'payload', 'batches', 'batch'), 'id').map(batchIdOf);
      if (named.length === 0 || known.length === 0) return unknown(`answers ${sales.status} and ${batches.status}`);
      const found = named.filter((id) => known.includes(batchIdOf(id))).length;
      return yesIf(found > 0, `${found} of ${named.length} transactions name a batch of the list`);
    },
    yes: 'Nothing.',
    no: 'A batch would show no transactions: look at worker/vendors/clearent/look-up.ts before clinics rely on Batches.',
  },
  {
    id: 'twenty-calls-are-taken',
    asks: `${CALLS_IN_A_ROW} calls in a row are all answered, so a limit is not in the way.`,
    writes: false,
    async look(talk) {
      for (let call = 1; call <= CALLS_IN_A_ROW; call++) {
        const { status } = await talk.ask('GET', TERMINAL);
        if (status === 429) return yesIf(false, `call ${call} answers 429`);
        if (status !== 200) return unknown(`call ${call} answers ${status}`);
      }
      return yesIf(true, `${CALLS_IN_A_ROW} times 200`);
    },
    yes: 'Nothing.',
    no: 'Ask the provider for the limit: a charge that meets it counts as unanswered and holds its invoice for HOLD_MS.',
  },
  {
    id: 'card-token-lasts',
    asks: `A card token lasts ${TOKEN_LASTS_S / 60} minutes at least.`,
    writes: true,
    async look(talk) {
      const parts = (await cardToken(talk, CARDS.one)).split('.');
      const read = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString() || 'null') as unknown;
      const ends = Number(at(parts.length === 3 ? read(parts[1]) : null, 'exp'));
      if (!ends) return unknown(`${parts.length} parts, no time that it ends`);
      const leftS = Math.round(ends - talk.now() / 1000);
      return yesIf(leftS >= TOKEN_LASTS_S, `${leftS} s, signed by ${at(read(parts[0]), 'alg')}`);
    },
    yes: 'Nothing: the pay page makes a token for each press.',
    no: 'CHARGE_TIMEOUT_MS must be below that time, or a slow charge is refused for its token.',
  },
  {
    id: 'search-takes-utc',
    asks: 'A search by minutes in UTC finds a sale of now.',
    writes: true,
    async look(talk) {
      const invoice = fresh();
      const sale = await sell(talk, { jwt: await cardToken(talk, CARDS.one), invoice });
      if (idOf(sale) === '') return unknown(`the sale answers ${sale.status}`);
      const [from, to] = [talk.now() - NEAR_MS, talk.now() + NEAR_MS].map((time) => encodeURIComponent(minuteOf(time)));
      const reply = await talk.ask('GET', `${LIST}&invoice=${invoice}&start-date=${from}&end-date=${to}`);
      return reply.status === 200 || reply.status === 204
        ? yesIf(reply.status === 200, `${reply.status}`)
        : unknown(`${reply.status}`);
    },
    yes: 'Nothing.',
    no: 'The search of a lost charge looks in the wrong hours: SEARCH_LAG_MS must be the longest index lag, or minuteOf in worker/vendors/clearent/transaction.ts has to know the zone; take payments only then.',
  },
  {
    id: 'category-is-mccCode',
    asks: 'Boarding takes the kind of business as mccCode, and gives a number of 16 digits.',
    writes: true,
    async look(talk) {
      const node = encodeURIComponent(talk.given('BOARDING_NODE_KEY'));
      const reply = await talk.ask('POST', `/api/launchIntegratorSetup/v1.0/integrateMerchant/${node}`, {
        host: talk.given('BOARDING_BASE_URL'),
        headers: { AccessKey: talk.given('BOARDING_ACCESS_KEY') },
        body: {
          merchantInformation: { dbaName: 'Probe', emailAddress: talk.given('PROBE_BOARDING_EMAIL') },
          salesProfile: { mccCode: '8021' },
        },
      });
      const number = at(reply.json, 'merchant', 'merchantInformation', 'merchantNumber');
      if (reply.status === 401 || reply.status === 403)
        return unknown(`the partner’s key is refused with ${reply.status}`);
      return yesIf(
        reply.status === 201 && /^\d{16}$/.test(number),
        `${reply.status}, a number of ${number.length} characters`,
      );
    },
    yes: 'Clinics may sign up.',
    no: 'No clinic can sign up: worker/vendors/clearent/boarding.ts has to send MccCode, or to take the number as it is.',
  },
];

/** One member of each row of a list; empty if it is not a list. */
function valuesOf(list: string, name: string): string[] {
  if (!list.startsWith('[')) return [];
  return (JSON.parse(list) as unknown[]).map((row) => at(row, name)).filter((value) => value !== '');
}
