import { createHash, randomInt } from 'node:crypto';
import { hubs, terminals } from '#sandbox/credentials';
import type { TakePaymentReply } from '#shared/contracts/payments/payment-answers';
import { decimalFromCents } from '#shared/money';
import { takePaymentApi } from '#shared/paths';
import { signature } from '#tests/support/content/png';
import type { ClusterWorld } from './cluster/cluster-world.ts';
import type { Knobs } from './cluster/knobs.ts';

/** One merchant on the tests' Worker, with invoices, cards and payers for one experiment. */

export const CARD = '4111111111111111';
export const DECLINED_CARD = '4000000000000002';

const [account] = hubs;
const online = terminals.find(({ channel }) => channel === 'ecommerce') ?? terminals[0];

export type Bill = {
  id: string;
  payId: string;
  number: string;
  amountCents: number;
  email: string;
  /** Set if the bill may be paid in parts. */
  inParts?: true;
};

export type Answer = {
  bill: Bill;
  /** 0: the connection broke before an answer came. */
  status: number;
  body: TakePaymentReply | null;
  text: string;
  token: string;
};

export type TestWorker = {
  clusterWorld: ClusterWorld;
  bills: Bill[];
  answers: Answer[];
};

export async function openTestWorker(clusterWorld: ClusterWorld): Promise<TestWorker> {
  await clusterWorld.steer('world', {
    account: { accountId: account.hubId, name: account.name, domain: account.domain, timeZone: account.timeZone },
    refreshToken: account.refreshToken,
    terminals: terminals
      .filter(({ hubId }) => hubId === account.hubId)
      .map(({ terminalId, hubId: accountId, name, channel, publicKey, apiKey }) => ({
        terminalId,
        accountId,
        name,
        channel,
        publicKey,
        apiKey,
      })),
  });
  return newTestWorker(clusterWorld);
}

/** Starts a new, empty set of invoices and payers of the same merchant. */
export const newTestWorker = (clusterWorld: ClusterWorld): TestWorker => ({ clusterWorld, bills: [], answers: [] });

let counter = 0;

/** Adds open invoices, each with its own live link, amount and payer. `number` gives all of them the same number. */
export async function addBills({ clusterWorld, bills }: TestWorker, count: number, number?: string): Promise<Bill[]> {
  const drafts = await Promise.all(
    Array.from({ length: count }, async () => {
      const n = ++counter;
      const amountCents = number === undefined ? 10_000 + n * 101 : 14_900;
      const email = `payer-${n}@example.test`;
      const { ids } = await clusterWorld.sandbox<{ ids: string[] }>('POST', `hubs/${account.hubId}/invoices`, {
        amount: decimalFromCents(amountCents),
        contact: { firstname: 'Payer', lastname: String(n), email },
        ...(number === undefined ? {} : { number }),
      });
      return { id: ids[0] ?? '', amountCents, email };
    }),
  );
  const invoiceIds = drafts.map(({ id }) => id);
  const payIds = await clusterWorld.steer<string[]>('links', { accountId: account.hubId, invoiceIds });
  const rows = await clusterWorld.sql<{ invoice_id: string; number: string }>(
    'SELECT invoice_id, number FROM invoices',
  );
  const numbers = new Map(rows.map((row) => [row.invoice_id, row.number]));
  const newBills = drafts.map((draft, index) => ({
    ...draft,
    payId: payIds[index] ?? '',
    number: numbers.get(draft.id) ?? '',
  }));
  bills.push(...newBills);
  return newBills;
}

/** The smallest part that may be paid. */
export const LEAST_PART_CENTS = 1_000;

/** Adds invoices that staff have opened for payment in parts. */
export async function addBillsInParts(testWorker: TestWorker, count: number): Promise<Bill[]> {
  const bills = await addBills(testWorker, count);
  for (const bill of bills) bill.inParts = true;
  await testWorker.clusterWorld.sql(
    `INSERT INTO collections (account_id, invoice_id, n, base_cents, min_cents, max_installments, crm_balance_cents, crm_billed_cents,
        opened_by, opened_at)
      SELECT account_id, invoice_id, 1, balance_cents, ?2, 12, balance_cents, billed_cents, 1, 0
      FROM invoices WHERE invoice_id IN (SELECT value FROM json_each(?1))`,
    JSON.stringify(bills.map(({ id }) => id)),
    LEAST_PART_CENTS,
  );
  return bills;
}

/** Gets a card token the way the payer's browser does. */
export const cardToken = (testWorker: TestWorker, card: string = CARD): Promise<string> =>
  paymentToken(testWorker, 'manual', { card, 'exp-date': '1231', csc: '123' });

const BANK = {
  'routing-number': '021000021',
  'account-number': '000123456789',
  'account-type': 'Checking',
  'individual-name': 'Payer One',
};
/** Gets a token of a bank account. */
export const bankToken = (testWorker: TestWorker): Promise<string> => paymentToken(testWorker, 'ach', BANK);

async function paymentToken({ clusterWorld }: TestWorker, kind: 'manual' | 'ach', account: object): Promise<string> {
  const response = await fetch(`${clusterWorld.sandboxUrl}/rest/v2/mobilejwt/${kind}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'public-key': online?.publicKey ?? '' },
    body: JSON.stringify(account),
  });
  const json = (await response.json()) as { payload: { 'mobile-jwt'?: { jwt: string } } };
  const jwt = json.payload['mobile-jwt']?.jwt;
  if (!jwt) throw new Error(`no ${kind} token: ${JSON.stringify(json)}`);
  return jwt;
}

/** `from`: the payer's network address. Without it, each payment has a random one. */
export type Payment = {
  token?: string;
  attemptId?: string;
  amountShown?: string;
  /** The amount of a part (cents). Without it, the payment is for the remaining balance. */
  partCents?: number;
  from?: string;
  knobs?: Knobs;
};

const signatureImage = signature();
const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

/** Submits the pay page once. Records the answer, because it must stay true forever. */
export async function pay(
  testWorker: TestWorker,
  bill: Bill,
  { token, attemptId, amountShown, partCents, from = newAddress(), knobs }: Payment = {},
): Promise<Answer> {
  const jwt = token ?? (await cardToken(testWorker));
  const body = {
    signature: signatureImage,
    firstName: 'Payer',
    lastName: 'One',
    address: '1 Elm St',
    city: 'Carmel',
    state: 'IN',
    zip: '46032',
    paymentDetails: jwt,
    ...(attemptId ? { attemptId } : {}),
    ...(amountShown ? { amountShown } : {}),
    ...(partCents ? { part: { amount: decimalFromCents(partCents) } } : {}),
  };
  const answer: Answer = { bill, status: 0, body: null, text: '', token: jwt };
  testWorker.answers.push(answer);
  try {
    const headers = { 'content-type': 'application/json', 'cf-connecting-ip': from };
    const response = await testWorker.clusterWorld.call(
      takePaymentApi(bill.payId),
      { method: 'POST', headers, body: JSON.stringify(body) },
      knobs,
    );
    answer.text = await response.text();
    answer.status = response.status;
    answer.body = JSON.parse(answer.text) as TakePaymentReply;
  } catch (cause) {
    // A killed Worker breaks the connection; the caller checks an answer that is not JSON.
    if (!(cause instanceof TypeError)) throw cause;
  }
  return answer;
}

export const payAll = (testWorker: TestWorker, bills: Bill[], payment: Payment = {}) =>
  Promise.all(bills.map((bill) => pay(testWorker, bill, payment)));

export const tokenHash = (token: string) => createHash('sha256').update(token).digest('hex');

/** Advances the clock by `laterMs` and runs the cron once. */
export async function runCron({ clusterWorld }: TestWorker, laterMs: number, knobs: Knobs = {}): Promise<void> {
  clusterWorld.clockMs += laterMs;
  await clusterWorld.steer('schedule', {}, knobs);
}
