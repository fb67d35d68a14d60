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
const MIN_TOKEN_LIFE_S = 120;
/** Maximum clock skew of the gateway; less than the smallest difference between time zones. */
const SKEW_MS = 10 * 60_000;

async function cardToken(talk: Talk, card: string): Promise<string> {
  const body = { card, 'exp-date': '1249', csc: '999' };
  const headers = { 'public-key': talk.input('PROBE_GATEWAY_PUBLIC_KEY') };
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

const makeId = () => `PROBE-${crypto.randomUUID().slice(0, 8)}`;
const idOf = ({ json }: Reply) => at(json, 'payload', 'transaction', 'id');

/** Compares the transactions of two sales; unknown if either has no clear outcome. */
function compareSales(first: Reply, second: Reply, expected: 'same' | 'another'): Answer {
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

export const gatewayQuestions: Question[] = [
  {
    id: 'repeat-is-by-invoice-and-amount',
    claim: 'check-field answers a second sale of the same invoice and amount with the first, with any card.',
    writes: true,
    async look(talk) {
      const invoice = makeId();
      const first = await sell(talk, { jwt: await cardToken(talk, CARDS.one), invoice });
      return compareSales(first, await sell(talk, { jwt: await cardToken(talk, CARDS.other), invoice }), 'same');
    },
    yes: 'The second barrier against a double charge works; parts may be switched on.',
    no: 'Only our own index keeps an invoice from being charged twice: leave parts off, and contact the provider.',
  },
  {
    id: 'another-amount-is-another-sale',
    claim: 'The same invoice value with another amount is charged.',
    writes: true,
    async look(talk) {
      const invoice = makeId();
      const first = await sell(talk, { jwt: await cardToken(talk, CARDS.one), invoice });
      return compareSales(
        first,
        await sell(talk, { jwt: await cardToken(talk, CARDS.one), invoice, amount: '1.02' }),
        'another',
      );
    },
    yes: 'After a release the same amount alone may be tried for a day, as it is.',
    no: 'Each part needs its own key from the start; leave parts off until then.',
  },
  {
    id: 'duplicates-include-the-invoice',
    claim: 'The terminal’s own duplicate check is off, or includes the invoice.',
    writes: false,
    async look(talk) {
      const reply = await talk.ask('GET', '/rest/v2/settings/transaction/duplicates');
      if (reply.status !== 200) return unknown(`${reply.status}`);
      const isSet = (name: string) => reply.text.includes(`"${name}":true`) || reply.text.includes(`"${name}":"true"`);
      const isOn = isSet('enabled');
      return yesIf(
        !isOn || isSet('include-invoice') || isSet('use-invoice-instead-of-card'),
        isOn ? reply.text.slice(0, 200) : 'the check is off',
      );
    },
    yes: 'Nothing.',
    no: 'Two patients of one family with one card and equal bills would count as one: set include-invoice in the provider’s portal.',
  },
  {
    id: 'page-size-has-a-hyphen',
    claim: 'page-size limits a list.',
    writes: false,
    async look(talk) {
      const reply = await talk.ask('GET', `${LIST}&page=1&page-size=1`);
      if (reply.status === 204) return unknown('there is no transaction yet');
      const list = at(reply.json, 'payload', 'transactions', 'transaction');
      if (list === '') return unknown(`${reply.status}, the list is not at the expected path`);
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
    claim: 'Batches are in payload.batches.batch.',
    writes: false,
    async look(talk) {
      const reply = await talk.ask('GET', '/rest/v2/batches?level=merchant');
      if (reply.status === 204) return unknown('there is no batch yet');
      return yesIf(
        at(reply.json, 'payload', 'batches', 'batch').startsWith('['),
        `${reply.status}, payload has ${Object.keys(JSON.parse(at(reply.json, 'payload') || '{}')).join(', ')}`,
      );
    },
    yes: 'Nothing: the product passes them on.',
    no: 'Check worker/vendors/clearent/wire.ts: the list would be empty.',
  },
  {
    id: 'declines-are-errors',
    claim: 'A declined sale answers 402 with payloadType "error".',
    writes: true,
    async look(talk) {
      const reply = await sell(talk, { jwt: await cardToken(talk, CARDS.one), invoice: makeId(), amount: DECLINED });
      return yesIf(
        reply.status === 402 && at(reply.json, 'payload', 'payloadType') === 'error',
        `${reply.status} ${at(reply.json, 'payload', 'payloadType')}`,
      );
    },
    yes: 'Nothing.',
    no: 'Nothing if it is errorTransaction, which the product also reads; anything else counts as unknown, so tell the developers.',
  },
  {
    id: 'declined-token-is-used-up',
    claim: 'A card token whose sale was declined cannot be used again.',
    writes: true,
    async look(talk) {
      const jwt = await cardToken(talk, CARDS.one);
      const first = await sell(talk, { jwt, invoice: makeId(), amount: DECLINED });
      if (first.status !== 402) return unknown(`the first sale is not declined: ${first.status}`);
      const second = await sell(talk, { jwt, invoice: makeId() });
      return yesIf(idOf(second) === '', `the second answers ${second.status}`);
    },
    yes: 'Nothing: the pay page makes a token for each press.',
    no: 'Nothing: the pay page makes a token for each press.',
  },
  {
    id: 'times-are-utc',
    claim: 'The time of a transaction is in UTC.',
    writes: true,
    async look(talk) {
      const invoice = makeId();
      await sell(talk, { jwt: await cardToken(talk, CARDS.one), invoice });
      const list = await talk.ask('GET', `${LIST}&invoice=${invoice}`);
      const created = at(list.json, 'payload', 'transactions', 'transaction', 0, 'created');
      const time = Date.parse(/[zZ]$|[+-]\d\d:?\d\d$/.test(created) ? created : `${created.replace(' ', 'T')}Z`);
      if (Number.isNaN(time)) return unknown(`created is “${created}”`);
      const offset = Math.round((talk.now() - time) / 60_000);
      return yesIf(Math.abs(offset) * 60_000 <= SKEW_MS, `${offset} minutes from now`);
    },
    yes: 'Nothing.',
    no: 'The search of a lost charge by time looks in the wrong hours: take no payments until worker/vendors/clearent/transaction.ts knows the zone.',
  },
  {
    id: 'key-goes-as-api-key',
    claim: 'A terminal’s key is accepted in the header api-key.',
    writes: false,
    async look(talk) {
      const { status } = await talk.ask('GET', TERMINAL);
      return status === 200 || status === 401 || status === 403
        ? yesIf(status === 200, `${status}`)
        : unknown(`${status}`);
    },
    yes: 'Nothing.',
    no: 'If the key is right, every payment would be refused: worker/vendors/clearent/http.ts has to send AccessKey.',
  },
  {
    id: 'merchant-id-is-the-boarded-number',
    claim: 'The gateway identifies a merchant by the 16-digit number from boarding.',
    writes: false,
    async look(talk) {
      const reply = await talk.ask('GET', TERMINAL);
      const id = at(reply.json, 'payload', 'terminal-settings', 'merchant-id');
      return id === ''
        ? unknown(`${reply.status}, no merchant-id`)
        : yesIf(/^\d{16}$/.test(id), `${id.length} characters`);
    },
    yes: 'Nothing: a terminal’s key is compared with that number before it is stored.',
    no: 'Terminals of a clinic that is boarded would be refused as another merchant’s: no clinic may sign up before worker/domain/merchants/boarding.ts knows how the numbers relate.',
  },
  {
    id: 'batch-numbers-agree',
    claim: 'The batch that a transaction names is in the list of batches, apart from leading zeros.',
    writes: false,
    async look(talk) {
      const sales = await talk.ask('GET', LIST);
      const batches = await talk.ask('GET', '/rest/v2/batches?level=merchant&page-size=100');
      const saleIds = valuesOf(at(sales.json, 'payload', 'transactions', 'transaction'), 'batch-string-id');
      const listIds = valuesOf(at(batches.json, 'payload', 'batches', 'batch'), 'id').map(batchIdOf);
      if (saleIds.length === 0 || listIds.length === 0) return unknown(`answers ${sales.status} and ${batches.status}`);
      const matches = saleIds.filter((id) => listIds.includes(batchIdOf(id))).length;
      return yesIf(matches > 0, `${matches} of ${saleIds.length} transactions name a batch of the list`);
    },
    yes: 'Nothing.',
    no: 'A batch would show no transactions: check worker/vendors/clearent/look-up.ts before clinics rely on Batches.',
  },
  {
    id: 'twenty-calls-are-taken',
    claim: `${CALLS_IN_A_ROW} calls in a row are all answered, so no limit interferes.`,
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
    claim: `A card token lasts ${MIN_TOKEN_LIFE_S / 60} or more minutes.`,
    writes: true,
    async look(talk) {
      const parts = (await cardToken(talk, CARDS.one)).split('.');
      const read = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString() || 'null') as unknown;
      const expiresAt = Number(at(parts.length === 3 ? read(parts[1]) : null, 'exp'));
      if (!expiresAt) return unknown(`${parts.length} parts, no expiry time`);
      const remainingS = Math.round(expiresAt - talk.now() / 1000);
      return yesIf(remainingS >= MIN_TOKEN_LIFE_S, `${remainingS} s, signed by ${at(read(parts[0]), 'alg')}`);
    },
    yes: 'Nothing: the pay page makes a token for each press.',
    no: 'CHARGE_TIMEOUT_MS must be below that time, or a slow charge is refused for its token.',
  },
  {
    id: 'search-takes-utc',
    claim: 'A search by minutes in UTC finds a sale made just now.',
    writes: true,
    async look(talk) {
      const invoice = makeId();
      const sale = await sell(talk, { jwt: await cardToken(talk, CARDS.one), invoice });
      if (idOf(sale) === '') return unknown(`the sale answers ${sale.status}`);
      const [from, to] = [talk.now() - SKEW_MS, talk.now() + SKEW_MS].map((time) => encodeURIComponent(minuteOf(time)));
      const reply = await talk.ask('GET', `${LIST}&invoice=${invoice}&start-date=${from}&end-date=${to}`);
      return reply.status === 200 || reply.status === 204
        ? yesIf(reply.status === 200, `${reply.status}`)
        : unknown(`${reply.status}`);
    },
    yes: 'Nothing.',
    no: 'The search of a lost charge looks in the wrong hours: SEARCH_LAG_MS must be the longest index lag, or minuteOf in worker/vendors/clearent/transaction.ts must know the zone; take no payments until then.',
  },
  {
    id: 'category-is-mccCode',
    claim: 'Boarding accepts the kind of business as mccCode, and returns a 16-digit number.',
    writes: true,
    async look(talk) {
      const node = encodeURIComponent(talk.input('BOARDING_NODE_KEY'));
      const reply = await talk.ask('POST', `/api/launchIntegratorSetup/v1.0/integrateMerchant/${node}`, {
        host: talk.input('BOARDING_BASE_URL'),
        headers: { AccessKey: talk.input('BOARDING_ACCESS_KEY') },
        body: {
          merchantInformation: { dbaName: 'Probe', emailAddress: talk.input('PROBE_BOARDING_EMAIL') },
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
    no: 'No clinic can sign up: worker/vendors/clearent/boarding.ts must send MccCode, or accept the number as it is.',
  },
];

/** One member of each row of a list; empty if it is not a list. */
function valuesOf(list: string, name: string): string[] {
  if (!list.startsWith('[')) return [];
  return (JSON.parse(list) as unknown[]).map((row) => at(row, name)).filter((value) => value !== '');
}
