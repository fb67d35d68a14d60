import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { makePartWorld, type PartWorld } from '#tests/support/unit/in-parts';
import { ledger, paymentAttempts } from '#worker/data/schema/schema';
import { nextReceipts } from '../leaving/archives.ts';
import { findReceiptRows } from './receipts.ts';

const HOUR = 3_600_000;

async function findAttemptOf(world: PartWorld, cents: number) {
  const attempt = (await world.attempts()).find(({ amountCents }) => amountCents === cents);
  if (!attempt) throw new Error('no such part');
  return attempt;
}

/** Returns money of an installment now, as an entry of the ledger. */
async function returnMoney(world: PartWorld, kind: 'void' | 'refund', part: number, cents = part) {
  const {
    accountId,
    invoiceId,
    id: attemptId,
    currency,
    channel,
    method,
    ...details
  } = await findAttemptOf(world, part);
  await world.db.insert(ledger).values({
    accountId,
    invoiceId,
    attemptId,
    currency,
    channel,
    method,
    brand: details.cardBrand,
    kind,
    providerTxnId: `${details.providerTxnId}-${kind}`,
    amountCents: -cents,
    at: world.clock.now,
  });
}

const paidCentsOn = async (world: PartWorld, part: number) =>
  (await findReceiptRows(world.db, (await findAttemptOf(world, part)).receiptId))?.part?.paidCents;

it.each([
  ['was voided', 'void', 5_000, 6_000],
  ['was refunded', 'refund', 5_000, 6_000],
  ['was refunded in part', 'refund', 2_000, 9_000],
] as const)(
  'an installment receipt excludes money that was returned earlier: the first installment %s',
  async (_title, kind, cents, paidCents) => {
    const world = await makePartWorld();
    await world.pay('50.00');
    world.clock.now += HOUR;
    await returnMoney(world, kind, 5_000, cents);
    world.clock.now += HOUR;
    await world.pay('60.00');
    expect(await paidCentsOn(world, 6_000)).toBe(paidCents);
  },
);

it('an installment receipt includes money that was returned only later', async () => {
  const world = await makePartWorld();
  await world.pay('50.00');
  world.clock.now += HOUR;
  await world.pay('60.00');
  world.clock.now += HOUR;
  await returnMoney(world, 'refund', 5_000);
  expect(await paidCentsOn(world, 6_000)).toBe(11_000);
});

it.each([
  [true, 6_000],
  [false, 11_000],
])(
  'an installment receipt includes a payment of an earlier collection unless it was voided earlier: %s',
  async (isVoided, cents) => {
    const world = await makePartWorld();
    await world.pay('50.00');
    world.clock.now += HOUR;
    if (isVoided) await returnMoney(world, 'void', 5_000);
    await world.pay('60.00');
    await world.db.update(paymentAttempts).set({ collection: 0 }).where(eq(paymentAttempts.amountCents, 5_000));
    expect(await paidCentsOn(world, 6_000)).toBe(cents);
  },
);

it('an archive has the same installment of each payment as its receipt', async () => {
  const world = await makePartWorld();
  await world.pay('50.00');
  await world.pay('100.00');
  const archived = await nextReceipts(world.db, { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 100 });
  const accountReceipts = archived.filter(({ attempt }) => attempt.accountId === world.accountId);
  expect(accountReceipts.map(({ part }) => part?.n)).toEqual([1, 2]);
  for (const { attempt, part } of accountReceipts)
    expect((await findReceiptRows(world.db, attempt.receiptId))?.part).toMatchObject(part ?? {});
});
