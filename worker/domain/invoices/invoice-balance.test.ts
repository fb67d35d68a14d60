import { env } from 'cloudflare:workers';
import { asc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimalFromCents } from '#shared/money';
import { paymentForm } from '#tests/support/pay-form';
import { makePartWorld, type PartWorld } from '#tests/support/unit/in-parts';
import { approvedOutcome, declinedOutcome, lostOutcome } from '#tests/support/unit/world';
import { reversals } from '#worker/data/schema/refunds';
import { type Attempt, paymentAttempts } from '#worker/data/schema/schema';
import { closeParts } from '#worker/domain/installments/open-and-close';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { settle } from '#worker/domain/payments/settle';
import { takePayment } from '#worker/domain/payments/take-payment';
import { reopenInvoice } from '#worker/domain/refunds/reopen-invoice';
import { settleReversal } from '#worker/domain/refunds/settle-reversal';
import { viewToday } from '#worker/domain/today/view-today';
import { balanceColumns, type CollectionFacts, invoiceBalance } from './invoice-balance.ts';

const OWED = 18_400;
const HOUR_MS = 3_600_000;

/** A step in an invoice's life. `target` selects one of its payments. */
type Step = { act: (typeof actions)[number]; target: number; cents: number };
const actions = ['pay', 'decline', 'lose', 'release', 'show-up', 'refund', 'void', 'reopen', 'close', 'wait'] as const;

const steps = fc.array(
  fc.record({
    act: fc.constantFrom(...actions, 'pay', 'pay', 'refund', 'show-up'),
    target: fc.nat({ max: 5 }),
    cents: fc.constantFrom(500, 2_000, 5_000, 9_200, OWED),
  }),
  { minLength: 4, maxLength: 14 },
);

const attemptsOf = ({ db, invoiceId }: PartWorld): Promise<Attempt[]> =>
  db
    .select()
    .from(paymentAttempts)
    .where(eq(paymentAttempts.invoiceId, invoiceId))
    .orderBy(asc(paymentAttempts.createdAt));

async function pay(world: PartWorld, script: PartWorld['gateway']['script']['charge'], cents: number): Promise<void> {
  world.gateway.script.charge = script;
  const isPart = (await world.invoiceRow())?.partBaseCents != null && cents < OWED;
  const form = paymentForm(isPart ? { part: { amount: decimalFromCents(cents) } } : {});
  await takePayment(world.deps, world.payId, form, { clientIp: null });
}

async function reverse(world: PartWorld, attempt: Attempt, kind: 'refund' | 'void', cents: number): Promise<void> {
  const remainingCents = attempt.amountCents - attempt.refundedCents;
  if (attempt.state !== 'approved') return;
  const id = world.deps.newId();
  const [reversal] = await world.db
    .insert(reversals)
    .values({
      id,
      accountId: world.accountId,
      attemptId: attempt.id,
      invoiceId: world.invoiceId,
      kind,
      amountCents: kind === 'void' ? remainingCents : Math.min(remainingCents, cents),
      dedupeKey: id,
      requestKey: id,
      reason: '',
      requestedBy: 1,
      state: 'sent',
      holdUntil: 0,
      createdAt: world.clock.now,
    })
    .returning();
  if (!reversal) throw new Error('not inserted');
  const at = world.clock.now;
  await settleReversal(world.deps, reversal, attempt, { to: 'approved', from: ['sent'], at, txnId: id });
}

async function runStep(world: PartWorld, { act, target, cents }: Step): Promise<void> {
  world.clock.now += 61_000;
  const at = world.clock.now;
  const attempts = await attemptsOf(world);
  const attempt = attempts[target % Math.max(attempts.length, 1)];
  switch (act) {
    case 'pay':
      return pay(world, approvedOutcome, cents);
    case 'decline':
      return pay(world, declinedOutcome, cents);
    case 'lose':
      return pay(world, () => lostOutcome, cents);
    case 'release':
      return void (attempt && (await settle(world.deps, attempt, { to: 'not_charged', from: ['unknown'], at })));
    case 'show-up':
      return void (
        attempt && (await settle(world.deps, attempt, { to: 'needs_human', from: ['unknown', 'not_charged'], at }))
      );
    case 'refund':
    case 'void':
      return void (attempt && (await reverse(world, attempt, act, cents)));
    case 'reopen':
      return void (await reopenInvoice(world.deps, world.manager, world.invoiceId));
    case 'close':
      return void (await closeParts(world.deps, world.manager, world.invoiceId));
    case 'wait':
      world.clock.now += 25 * HOUR_MS;
  }
}

const LIVE_STATES = ['sent', 'unknown', 'pending', 'needs_human'];
const sumOf = <T>(rows: T[], cents: (row: T) => number) => rows.reduce((sum, row) => sum + cents(row), 0);

/** Cents that were or may still be received, from payments that are approved, less refunds, or still undecided. */
const heldCentsOf = (attempts: Attempt[]): number =>
  sumOf(attempts, ({ state, amountCents, refundedCents }) =>
    state === 'approved' ? amountCents - refundedCents : LIVE_STATES.includes(state) ? amountCents : 0,
  );

async function checkBooks(
  world: PartWorld,
  previousAttempts: Attempt[],
  previousRow: Awaited<ReturnType<PartWorld['invoiceRow']>>,
): Promise<void> {
  const [row, attempts, ledgerEntries] = await Promise.all([world.invoiceRow(), attemptsOf(world), world.ledger()]);
  if (!row) throw new Error('no invoice');
  const collection = await world.collection(row.collection);
  const collectionFacts = collection && {
    baseCents: Number(collection.base_cents),
    paidBeforeCents: Number(collection.paid_before_cents),
    takenBeforeCents: Number(collection.taken_before_cents),
  };
  const isBooked = ({ id }: Attempt) =>
    ledgerEntries.some(({ attemptId, kind }) => attemptId === id && kind === 'payment');
  const facts = attempts.map((attempt) => ({ ...attempt, isBooked: isBooked(attempt) }));
  expect(row).toMatchObject(balanceColumns(row.collection, collectionFacts, facts));

  const view = await env.DB.prepare(
    'SELECT label, kept_cents FROM invoice_labels WHERE account_id = ? AND invoice_id = ?',
  )
    .bind(world.accountId, world.invoiceId)
    .first();
  expect(view).toEqual({ label: row.localStatus, kept_cents: sumOf(ledgerEntries, ({ amountCents }) => amountCents) });

  // Only the last installment pays the invoice, in every order of payments, refunds, voids and collections.
  if (row.localStatus === 'paid' && previousRow?.localStatus !== 'paid' && row.partBaseCents !== null)
    expect(row.partPaidCents).toBeGreaterThanOrEqual(row.partBaseCents);

  const isEarlier = ({ id }: Attempt) => previousAttempts.some((attempt) => attempt.id === id);
  const newAttempts = attempts.filter((attempt) => !isEarlier(attempt));
  // A payer’s request first checks an earlier payment, which that check may release.
  if (newAttempts.some(({ state }) => state !== 'declined'))
    expect(
      heldCentsOf(attempts.filter(isEarlier)) + sumOf(newAttempts, ({ amountCents }) => amountCents),
    ).toBeLessThanOrEqual(OWED);
}

/** Checks that the dashboard's total and the payer's page show the amount owed. */
async function checkScreens(world: PartWorld): Promise<void> {
  const row = await world.invoiceRow();
  if (!row) throw new Error('no invoice');
  const { owedCents, isSettledHere } = invoiceBalance(row);
  const today = await viewToday(world.deps, world.accountId);
  expect(today.owed.amount).toBe(decimalFromCents(isSettledHere ? 0 : (owedCents ?? 0)));
  const page = await viewLink(world.deps, world.payId);
  if (page.kind === 'ready') expect(page.view.invoice.amountDue).toBe(decimalFromCents(owedCents ?? 0));
}

/** Excludes `sent`, because the trigger `claims_fit` may reject such a row. */
const STATES = [
  'unknown',
  'pending',
  'approved',
  'needs_human',
  'declined',
  'not_charged',
  'voided',
  'refunded',
  'returned',
] as const;

/** Possible payments of the current collection and of an earlier one. */
const payments = fc.array(
  fc.record({
    collection: fc.constantFrom(1, 2, 2, 2),
    state: fc.constantFrom(...STATES, 'approved', 'approved', 'refunded', 'voided'),
    amountCents: fc.constantFrom(2_000, 5_000, 9_200, 13_400, OWED),
    refunded: fc.constantFrom(0, 0, 500),
    isOwedAgain: fc.boolean(),
    isBooked: fc.boolean(),
    needsHumanFrom: fc.constantFrom('', 'unknown', 'pending'),
  }),
  { maxLength: 5 },
);
const terms = fc.option(
  fc.record({
    baseCents: fc.constantFrom(9_200, OWED),
    paidBeforeCents: fc.constantFrom(0, 5_000),
    takenBeforeCents: fc.constantFrom(0, 5_000, 9_200),
  }),
);

const INVOICE = `INSERT INTO invoices (account_id, invoice_id, number, status, currency, read_at, collection)
  VALUES (?1, ?2, '', 'open', 'USD', 0, 2)`;
const COLLECTION = `INSERT INTO collections (account_id, invoice_id, n, base_cents, min_cents, max_installments, paid_before_cents,
  crm_balance_cents, opened_by, opened_at, taken_before_cents) VALUES (?1, ?2, 2, ?3, 1, 12, ?4, ?3, 1, 0, ?5)`;
const insertCollection = (
  accountId: number,
  invoiceId: string,
  { baseCents, paidBeforeCents, takenBeforeCents }: CollectionFacts,
) => env.DB.prepare(COLLECTION).bind(accountId, invoiceId, baseCents, paidBeforeCents, takenBeforeCents);
const PAYMENT = `INSERT INTO payment_attempts (id, account_id, invoice_id, collection, part, terminal_id, channel, method,
  amount_cents, currency, invoice_number, dedupe_key, receipt_id, state, refunded_cents, hold_until, created_at, settled_at,
  needs_human_from, owed_again_cents)
  VALUES (?1, ?2, ?3, ?4, ?5, 'T', 'link', 'card', ?6, 'USD', '', ?1, ?1, ?7, ?8, 0, ?5, ?5, ?9, ?10)`;
const LEDGER_ENTRY = `INSERT INTO ledger (account_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel,
  method, brand, at, day) VALUES (?1, ?2, ?2, ?3, 'payment', ?4, 'USD', 'link', 'card', 'VISA', 0, '2026-03-04')`;

it('the SQL view and the function agree on an invoice’s status for any payments', async () => {
  const { accountId } = await makePartWorld();
  let n = 0;
  await fc.assert(
    fc.asyncProperty(terms, payments, async (collectionFacts, randomPayments) => {
      const invoiceId = `${accountId}${n++}`;
      const isInFlight = (state: string) => ['sent', 'unknown', 'pending'].includes(state);
      // The indexes allow one payment in flight per collection.
      const fittingPayments = randomPayments.filter(
        (payment, index) =>
          !isInFlight(payment.state) ||
          !randomPayments
            .slice(0, index)
            .some((other) => other.collection === payment.collection && isInFlight(other.state)),
      );
      const facts = fittingPayments.map(({ refunded, isOwedAgain, ...payment }) => {
        const isReversed = ['voided', 'refunded'].includes(payment.state);
        const refundedCents = isReversed ? payment.amountCents : payment.state === 'approved' ? refunded : 0;
        return { ...payment, refundedCents, owedAgainCents: isOwedAgain ? refundedCents : 0 };
      });
      await env.DB.batch([
        env.DB.prepare(INVOICE).bind(accountId, invoiceId),
        ...(collectionFacts ? [insertCollection(accountId, invoiceId, collectionFacts)] : []),
        ...facts.flatMap((fact, index) => {
          const { collection, state, amountCents, refundedCents, owedAgainCents, isBooked, needsHumanFrom } = fact;
          const id = `${invoiceId}-${index}`;
          return [
            env.DB.prepare(PAYMENT).bind(
              id,
              accountId,
              invoiceId,
              collection,
              index + 1,
              amountCents,
              state,
              refundedCents,
              needsHumanFrom,
              owedAgainCents,
            ),
            ...(isBooked ? [env.DB.prepare(LEDGER_ENTRY).bind(accountId, id, invoiceId, amountCents)] : []),
          ];
        }),
      ]);
      const view = await env.DB.prepare(
        'SELECT label, given_back_cents, base_cents, kept_cents FROM invoice_labels WHERE account_id = ? AND invoice_id = ?',
      )
        .bind(accountId, invoiceId)
        .first<{ label: string; given_back_cents: number; base_cents: number | null; kept_cents: number }>();
      const columns = balanceColumns(2, collectionFacts, facts);
      expect(view).toMatchObject({
        label: columns.localStatus,
        given_back_cents: columns.givenBackCents,
        base_cents: columns.partBaseCents,
        ...(collectionFacts && { kept_cents: columns.partPaidCents }),
      });
    }),
    { numRuns: 300 },
  );
}, 60_000);

type StepRow = [act: Step['act'], target: number, cents: number];
it.each<[string, StepRow[], string, number, number]>([
  ['one is refunded in full before the last one', [...paidTwice([5_000]), ['pay', 0, 8_400]], 'none', 5_000, 18_400],
  ['one is refunded in part before the last one', [...paidTwice([3_000]), ['pay', 0, 8_400]], 'none', 3_000, 18_400],
  ['one is refunded before, and collected', [...paidTwice([5_000]), ['pay', 0, OWED]], 'paid', 0, 18_400],
  [
    'one is refunded after the last one',
    [...paidTwice([]), ['pay', 0, OWED], ['refund', 0, 5_000]],
    'paid',
    5_000,
    18_400,
  ],
  [
    'one is refunded before and one after the last one',
    [...paidTwice([5_000]), ['pay', 0, OWED], ['refund', 1, 2_000]],
    ...['paid', 2_000, 18_400],
  ],
  [
    'one is refunded before and one voided after the last one',
    [...paidTwice([5_000]), ['pay', 0, OWED], ['void', 1, 0]],
    ...['none', 5_000, 18_400],
  ],
  [
    'one is refunded after the last one and requested again, then another is refunded',
    [
      ...paidTwice([]),
      ...[
        ['pay', 0, OWED],
        ['refund', 0, 5_000],
        ['wait', 0, 0],
        ['reopen', 0, 0],
        ['refund', 1, 2_000],
      ],
      ['pay', 0, 5_000],
    ],
    ...['none', 2_000, 18_400],
  ],
] as [string, StepRow[], string, number, number][])(
  'an invoice in installments owes the base minus the net payments when %s',
  async (_title, history, localStatus, missingCents, baseCents) => {
    const world = await makePartWorld();
    for (const [act, target, cents] of history) await runStep(world, { act, target, cents });
    const row = await world.invoiceRow();
    expect(row).toMatchObject({ localStatus, partBaseCents: baseCents, partPaidCents: baseCents - missingCents });
    if (row) expect(invoiceBalance(row).owedCents).toBe(localStatus === 'paid' ? 0 : missingCents);
  },
);

/** Two installments of $50.00, and refunds of the first one. */
function paidTwice(refunds: number[]): StepRow[] {
  return [['pay', 0, 5_000], ...refunds.map((cents): StepRow => ['refund', 0, cents]), ['pay', 0, 5_000]];
}

it('a refund after the last installment leaves the invoice paid while another is open in installments', async () => {
  const world = await makePartWorld();
  const { accountId } = world;
  const otherInvoiceId = `${world.invoiceId}-other`;
  await env.DB.batch([
    env.DB.prepare(INVOICE).bind(accountId, otherInvoiceId),
    insertCollection(accountId, otherInvoiceId, { baseCents: OWED, paidBeforeCents: 0, takenBeforeCents: 0 }),
  ]);
  await runStep(world, { act: 'pay', target: 0, cents: OWED });
  await runStep(world, { act: 'refund', target: 0, cents: 5_000 });
  expect(await world.invoiceRow()).toMatchObject({ localStatus: 'paid', partPaidCents: OWED - 5_000 });
});

it('an invoice due in one payment stays paid while a cent of the payment is kept', async () => {
  const world = await makePartWorld();
  await closeParts(world.deps, world.manager, world.invoiceId);
  await runStep(world, { act: 'pay', target: 0, cents: OWED });
  await runStep(world, { act: 'refund', target: 0, cents: OWED - 1 });
  expect(await world.invoiceRow()).toMatchObject({ localStatus: 'paid', givenBackCents: OWED - 1 });
  await checkBooks(world, await attemptsOf(world), await world.invoiceRow());
});

it('row, SQL and function agree on an invoice in every history, and no claim exceeds what is owed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), steps, async (isInParts, history) => {
      const world = await makePartWorld();
      if (!isInParts) await closeParts(world.deps, world.manager, world.invoiceId);
      for (const step of history) {
        const [previousAttempts, previousRow] = await Promise.all([attemptsOf(world), world.invoiceRow()]);
        await runStep(world, step);
        await checkBooks(world, previousAttempts, previousRow);
      }
      await checkScreens(world);
    }),
    { numRuns: 25 },
  );
}, 120_000);
