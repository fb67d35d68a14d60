import { terminals } from '#sandbox/credentials';
import { decimalFromCents } from '#shared/money';
import type { AttemptRow } from '../records.ts';
import { dedupeKey, readCharges } from '../records.ts';
import { countOf, type Figures } from '../report.ts';
import { addBills, type Bill, bankToken, cardToken, pay, runCron, type TestWorker } from '../test-worker.ts';
import { SALE } from './gateway-faults.ts';

const MINUTE = 60_000;
const online = terminals.find(({ channel }) => channel === 'ecommerce') ?? terminals[0];

type Case = { testWorker: TestWorker; bill: Bill; attempt: AttemptRow; chargeId: string };

/** Reasons that keep a charge in `needs_human`, planted one at a time. `free` plants none. */
const CASES = {
  free: async (_: Case): Promise<unknown> => undefined,
  'it was released once': ({ testWorker, attempt }) => moveTo(testWorker, attempt, 'not_charged', 'needs_human'),
  'it was charged twice': ({ testWorker, bill, attempt }) =>
    charge(testWorker, bill.amountCents, attempt.id, dedupeKey(bill)),
  'the amount differs': ({ testWorker, attempt }) =>
    testWorker.clusterWorld.sql('UPDATE payment_attempts SET amount_cents = amount_cents + 1 WHERE id = ?', attempt.id),
  'the charge was voided': ({ testWorker, chargeId }) =>
    gateway(testWorker, '/rest/v2/transactions', { type: 'VOID', id: chargeId }),
  'a part was refunded': ({ testWorker, chargeId }) =>
    gateway(testWorker, '/rest/v2/transactions', { type: 'REFUND', id: chargeId, amount: '1.00' }),
  'a refund was seen by the nightly run': ({ testWorker, chargeId }) =>
    testWorker.clusterWorld.sql(
      `INSERT INTO gateway_transactions (account_id, provider_txn_id, method, terminal_id, batch_id, kind, state, is_voided,
        order_id, parent_id, dedupe_key, card, payer, seen_at)
       SELECT account_id, 'refund-' || ?, 'card', '', '', 'REFUND', 'approved', 0, '', ?, 'else', '', '', 0 FROM accounts`,
      chargeId,
      chargeId,
    ),
  'another order charged the invoice': ({ testWorker, bill }) =>
    charge(testWorker, bill.amountCents, `foreign-${bill.id}`, dedupeKey(bill)),
  'a bank debit was made under its key': ({ testWorker, bill }) => debit(testWorker, bill),
  'another attempt was refunded': ({ testWorker, attempt }) => secondAttempt(testWorker, attempt, 'refunded'),
  'another attempt waits as well': ({ testWorker, attempt }) => secondAttempt(testWorker, attempt, 'needs_human'),
  'a person has decided': ({ testWorker, attempt }) =>
    testWorker.clusterWorld.sql(
      `INSERT INTO resolutions (id, account_id, attempt_id, verdict, note, resolved_by, at)
       SELECT 'decided-' || ?, account_id, id, 'not-charged', 'n', 1, unixepoch() * 1000 FROM payment_attempts WHERE id = ?`,
      attempt.id,
      attempt.id,
    ),
} satisfies Record<string, (planted: Case) => Promise<unknown>>;

export type CaseName = keyof typeof CASES;

/**
 * E18: unknown charges are moved to `needs_human`. The next status inquiries settle the one charge without a
 * contradiction; each other charge has one contradiction and must stay.
 */
export async function automaticResolution(
  testWorker: TestWorker,
  names = Object.keys(CASES) as CaseName[],
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const planted: { name: string; bill: Bill; id: string }[] = [];
  for (const name of names) {
    const [bill] = await addBills(testWorker, 1);
    if (!bill) throw new Error('no bill');
    await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: 1 });
    await pay(testWorker, bill);
    const [attempt] = await clusterWorld.sql<AttemptRow>(
      'SELECT * FROM payment_attempts WHERE invoice_id = ?',
      bill.id,
    );
    const [storedCharge] = await readCharges(clusterWorld, [bill]);
    if (attempt?.state !== 'unknown' || !storedCharge) throw new Error(`${name}: the answer was not lost`);
    if (name !== 'it was released once') await moveTo(testWorker, attempt, 'needs_human');
    await CASES[name]({ testWorker, bill, attempt, chargeId: storedCharge.id });
    planted.push({ name, bill, id: attempt.id });
  }
  for (let pass = 0; pass < 3; pass++) await runCron(testWorker, 10 * MINUTE);

  const rows = await clusterWorld.sql<AttemptRow>('SELECT * FROM payment_attempts');
  const stateOf = (id: string) => rows.find((row) => row.id === id)?.state;
  const misjudged = planted.filter(({ name, id }) => stateOf(id) !== (name === 'free' ? 'approved' : 'needs_human'));
  return {
    experiment: 'E18 before a person',
    size: `${planted.length} cases`,
    extraCharges: 0,
    lostCharges: 0,
    control: null,
    note: countOf(planted.map(({ id }) => stateOf(id) ?? 'gone')),
    violations: misjudged.map(({ name, id }) => `${name}: the payment is ${stateOf(id)}`),
  };
}

/** Moves the attempt through the states, writing the same columns as the product. */
async function moveTo({ clusterWorld }: TestWorker, { id }: AttemptRow, ...states: string[]): Promise<void> {
  for (const state of states)
    await clusterWorld.sql(
      `UPDATE payment_attempts SET state = ?, needs_human_from = CASE ? WHEN 'needs_human' THEN state ELSE '' END,
        next_check_at = 0 WHERE id = ?`,
      state,
      state,
      id,
    );
}

async function secondAttempt({ clusterWorld }: TestWorker, { id }: AttemptRow, state: string): Promise<void> {
  const [row] = await clusterWorld.sql<Record<string, unknown>>('SELECT * FROM payment_attempts WHERE id = ?', id);
  const attempt = {
    ...row,
    id: `second-${id}`,
    receipt_id: `second-${id}`,
    token_hash: null,
    state,
    next_check_at: null,
  };
  const columns = Object.keys(attempt);
  await clusterWorld.sql(
    `INSERT INTO payment_attempts (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ...Object.values(attempt),
  );
}

async function charge(testWorker: TestWorker, amountCents: number, orderId: string, invoice: string): Promise<void> {
  const body = { type: 'SALE', amount: decimalFromCents(amountCents), invoice, 'order-id': orderId };
  await gateway(testWorker, SALE, body, { mobilejwt: await cardToken(testWorker) });
}

/** Makes a bank debit, which the gateway lists apart from card charges. */
async function debit(testWorker: TestWorker, bill: Bill): Promise<void> {
  const body = {
    type: 'DEBIT',
    amount: decimalFromCents(bill.amountCents),
    invoice: dedupeKey(bill),
    'order-id': `foreign-${bill.id}`,
    'individual-name': 'Payer One',
    'standard-entry-class-code': 'WEB',
  };
  await gateway(testWorker, '/rest/v2/ach/mobile/transactions/debit', body, {
    achmobilejwt: await bankToken(testWorker),
  });
}

/** Makes a gateway call that does not come from the product. */
async function gateway({ clusterWorld }: TestWorker, path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${clusterWorld.sandboxUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-key': online?.apiKey ?? '', ...headers },
    body: JSON.stringify({ 'software-type': 'Elsewhere', 'software-type-version': '1', ...body }),
  });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}
