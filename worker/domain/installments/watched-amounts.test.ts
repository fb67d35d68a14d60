import { expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareDesk } from '#tests/support/unit/bare-desk';
import { crmTokens } from '#worker/data/schema/schema';
import { watchAmounts } from './watch-amounts.ts';

const HOUR = 3_600_000;

/** Invoices in parts whose copies show a changed amount, each read a millisecond after the previous one. */
async function makeChanged(count: number, readAt = NOW - 60_000) {
  const desk = await bareDesk({ balanceCents: 9_000, modifiedAt: NOW + 1 });
  for (let index = 0; index < count; index++) {
    const id = String(100 + index);
    await desk.addInvoice(id, { balanceCents: 9_000, readAt: readAt + index });
    await desk.addCollection(id, { openedAt: NOW - 2 * HOUR });
  }
  const frozen = async () =>
    (await desk.db.$client
      .prepare("SELECT count(*) AS n FROM collections WHERE state = 'frozen'")
      .first('n')) as number;
  return { ...desk, frozen };
}

it('ten changed invoices are read in one run, those with the oldest copies first', async () => {
  const { crm, deps, frozen } = await makeChanged(11);
  await watchAmounts(deps);
  expect(crm.requestedIds).toEqual(Array.from({ length: 10 }, (_, index) => String(100 + index)));
  expect(await frozen()).toBe(10);
});

it.each([
  ['less than an hour ago is read again', NOW - HOUR + 1, 1],
  ['an hour ago is not read again', NOW - HOUR, 0],
])('a changed invoice that was read %s', async (_title, readAt, count) => {
  const { crm, deps } = await makeChanged(1, readAt);
  await watchAmounts(deps);
  expect(crm.requestedIds).toHaveLength(count);
});

it('changed invoices wait while the CRM does not answer', async () => {
  const { crm, deps, frozen } = await makeChanged(2);
  crm.answer = 'away';
  await watchAmounts(deps);
  expect([crm.requestedIds, await frozen()]).toEqual([['100'], 0]);
});

it('a changed invoice missing from the CRM does not hold up the others', async () => {
  const { crm, deps, frozen } = await makeChanged(2);
  crm.answer = null;
  await watchAmounts(deps);
  expect([crm.requestedIds, await frozen()]).toEqual([['100', '101'], 0]);
});

it('no changed invoice is read for an account without a connection', async () => {
  const { crm, db, deps } = await makeChanged(1);
  await db.delete(crmTokens);
  await watchAmounts(deps);
  expect(crm.requestedIds).toEqual([]);
});
