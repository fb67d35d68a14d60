import { describe, expect, it } from 'vitest';
import { pay, submittedDebit } from '#tests/support/unit/submitted-debit';

const DAY = 24 * 3_600_000;

describe('a bank debit that came back before it was booked', () => {
  it('is followed by a debit under another key, since the gateway may still count the first', async () => {
    const { world, show, wait } = await submittedDebit();
    show([{ state: 'returned', providerCode: 'R01' }]);
    await wait(1);
    expect((await pay(world, { paymentType: 'ach' })).kind).toBe('submitted');
    const [first, second] = world.gateway.charges;
    expect(second?.dedupeKey).not.toBe(first?.dedupeKey);
  });
});

describe('a bank debit that was settled', () => {
  it.each([
    ['the bank returns it', { state: 'returned', providerCode: 'R10' } as const],
    ['the gateway declines it', { state: 'declined' } as const],
  ])('is booked back when %s on the 64th day after its settlement', async (_how, more) => {
    const { world, show, wait, state } = await submittedDebit();
    await wait(4);
    show([{ state: 'approved' }]);
    await wait(1);
    expect(await state()).toBe('approved');
    await wait(62.5);
    show([more]);
    // The watch alone: the nightly list would find it as well.
    world.gateway.script.listTransactions = () => 'unavailable';
    await wait(1.5);
    expect(await state()).toBe('returned');
    expect((await world.ledger()).map(({ kind }) => kind)).toEqual(['payment', 'return']);
  });

  it('is asked for on the 65th day after its settlement, and no more after that', async () => {
    const { world, show, wait } = await submittedDebit();
    show([{ state: 'approved' }]);
    await wait(1);
    const settledAt = (await world.attempts())[0]?.settledAt ?? 0;
    await wait(70);
    const [attempt] = await world.attempts();
    expect(attempt?.nextCheckAt).toBeNull();
    expect(Math.floor(((attempt?.checkedAt ?? 0) - settledAt) / DAY)).toBe(65);
  });
});
