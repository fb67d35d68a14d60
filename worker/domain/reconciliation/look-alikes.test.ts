import { expect, it } from 'vitest';
import { makeLedgerPair } from '#tests/support/ledger-pair';
import { eventsOf } from '#tests/support/unit/trail';
import { viewTakings } from '#worker/domain/takings/view-takings';
import { viewToday } from '#worker/domain/today/view-today';
import { setAsideLookAlikes } from './look-alikes.ts';
import { viewReconciliation } from './view-reconciliation.ts';

/** A clinic with two payments of today that look alike. `setAside` marks the listed ones as no duplicates. */
async function makeLookAlikes() {
  const world = await makeLedgerPair();
  await world.sell();
  await world.sell();
  const { deps, accountId, merchant } = world;
  const listed = async () => (await viewReconciliation(deps, accountId)).look_alikes;
  const setAside = async (note = 'Two visits') => {
    const [group = []] = await listed();
    const ids = group.map(({ payment_id }) => payment_id);
    return setAsideLookAlikes(deps, merchant, ids, note);
  };
  const counts = async () => ({
    listed: (await listed()).length,
    today: (await viewToday(deps, accountId)).to_check.count,
    sheet: (await viewTakings(deps, accountId))?.look_alikes.length,
  });
  return { ...world, listed, setAside, counts };
}

it('payments that staff have set aside are no longer listed, counted or on the sheet of the day', async () => {
  const { setAside, counts, deps, accountId, merchant } = await makeLookAlikes();
  expect(await counts()).toEqual({ listed: 1, today: 1, sheet: 1 });
  expect(await setAside()).toEqual({ kind: 'set-aside', count: 2 });
  expect(await counts()).toEqual({ listed: 0, today: 0, sheet: 0 });
  const { resolved } = await viewReconciliation(deps, accountId);
  const decision = { verdict: 'not-duplicate', note: 'Two visits', by: 'ana@maple.example' };
  expect(resolved).toMatchObject([decision, decision]);
  const events = (await eventsOf(accountId)).filter(({ action }) => action === 'look-alikes.set-aside');
  expect(events.map(({ after }) => JSON.parse(after))).toEqual([
    { payments: 2, amountCents: 18_400, note: 'Two visits' },
  ]);
  expect(await setAsideLookAlikes(deps, merchant, ['a', 'b'], 'Two visits')).toEqual({ kind: 'over' });
});

it('payments that were set aside are listed again once another joins them', async () => {
  const { sell, setAside, listed, counts } = await makeLookAlikes();
  await setAside();
  await sell();
  expect(await listed()).toMatchObject([[{}, {}, {}]]);
  expect(await setAside('Three visits')).toEqual({ kind: 'set-aside', count: 3 });
  expect((await counts()).listed).toBe(0);
});

it('only a whole group can be set aside, by one request', async () => {
  const { deps, merchant, listed, setAside, accountId } = await makeLookAlikes();
  const [[first] = []] = await listed();
  const id = first?.payment_id ?? '';
  expect(await setAsideLookAlikes(deps, merchant, [id, 'other'], 'x')).toEqual({ kind: 'over' });
  const answers = await Promise.all([setAside(), setAside()]);
  expect(answers.map(({ kind }) => kind).sort()).toEqual(['over', 'set-aside']);
  const events = (await eventsOf(accountId)).filter(({ action }) => action === 'look-alikes.set-aside');
  expect(events).toHaveLength(1);
});
