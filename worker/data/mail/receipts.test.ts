import { expect, it } from 'vitest';
import { inParts, type PartWorld } from '#tests/support/unit/in-parts';
import { ledger } from '#worker/data/schema/schema';
import { readReceipt } from '#worker/domain/mail/receipt';

const HOUR = 3_600_000;

async function partOf(world: PartWorld, cents: number) {
  const attempt = (await world.attempts()).find(({ amountCents }) => amountCents === cents);
  if (!attempt) throw new Error('no such part');
  return attempt;
}

/** Money of a part that goes back now, as the ledger has it. */
async function giveBack(world: PartWorld, kind: 'void' | 'refund', part: number, cents = part) {
  const { accountId, invoiceId, id: attemptId, currency, channel, method, ...rest } = await partOf(world, part);
  await world.db.insert(ledger).values({
    ...{ accountId, invoiceId, attemptId, currency, channel, method, brand: rest.cardBrand, kind },
    ...{ providerTxnId: `${rest.providerTxnId}-${kind}`, amountCents: -cents, at: world.clock.now },
  });
}

const saidOf = async (world: PartWorld, cents: number) =>
  (await readReceipt(world.deps, (await partOf(world, cents)).receiptId))?.said;

it.each([
  ['was voided', 'void', 5_000, 'You paid $60.00 of $184.00.'],
  ['was refunded', 'refund', 5_000, 'You paid $60.00 of $184.00.'],
  ['was refunded in part', 'refund', 2_000, 'You paid $60.00, and $90.00 of $184.00 in all.'],
] as const)(
  'the receipt of a part does not count what went back before it: the first %s',
  async (_what, kind, cents, said) => {
    const world = await inParts();
    await world.pay('50.00');
    world.clock.now += HOUR;
    await giveBack(world, kind, 5_000, cents);
    world.clock.now += HOUR;
    await world.pay('60.00');
    expect(await saidOf(world, 6_000)).toBe(said);
  },
);

it('the receipt of a part counts what went back only after it', async () => {
  const world = await inParts();
  await world.pay('50.00');
  world.clock.now += HOUR;
  await world.pay('60.00');
  world.clock.now += HOUR;
  await giveBack(world, 'refund', 5_000);
  expect(await saidOf(world, 6_000)).toBe('You paid $60.00, and $110.00 of $184.00 in all.');
});
