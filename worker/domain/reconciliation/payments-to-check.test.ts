import { expect, it } from 'vitest';
import { gatewayOnlyTransaction, makeLedgerPair, runNight } from '#tests/support/ledger-pair';
import { ACCOUNT, addClinic, addPayment, db } from '#tests/support/unit/rows';
import { viewToday } from '#worker/domain/today/view-today';
import { listToCheck } from './payments-to-check.ts';
import { viewReconciliation } from './view-reconciliation.ts';

type World = Awaited<ReturnType<typeof makeLedgerPair>>;

/** The count and amount on the dashboard and on the Payments to check screen, and the amounts that the screen lists. */
async function counts({ deps, accountId }: World) {
  const { to_check: dashboard } = await viewToday(deps, accountId);
  const screen = await viewReconciliation(deps, accountId);
  const differing = screen.differences.filter(({ verdict }) => verdict !== 'only-ours');
  const listed = [
    ...screen.undecided.map(({ amount }) => amount),
    ...screen.undecided_reversals.map(({ amount }) => amount),
    ...screen.unknown.map(({ amount }) => amount),
    ...screen.look_alikes.map(([first]) => first?.amount ?? ''),
    ...differing.map(({ amount }) => (amount ?? '').replace('-', '')),
  ];
  return { dashboard, screen: screen.to_check, listed };
}

it.each<[string, (world: World) => Promise<unknown>, string[]]>([
  ['a payment with an unknown outcome', (world) => world.sell({ state: 'unknown', isShown: false }), ['184.00']],
  ['a payment in manual review', (world) => world.sell({ state: 'needs_human', isShown: false }), ['184.00']],
  ['two payments that look alike', async (world) => [await world.sell(), await world.sell()], ['184.00']],
  [
    'a transaction that only the gateway has',
    async (world) => world.books.push(gatewayOnlyTransaction(world, { id: 'x', amountCents: 5_000 })),
    ['50.00'],
  ],
  ['a payment under way', (world) => world.sell({ state: 'sent', isShown: false }), []],
  ['a payment that only our ledger has', (world) => world.sell({ isShown: false }), []],
])('the dashboard and the Payments to check screen agree: %s', async (_title, setUp, amounts) => {
  const world = await makeLedgerPair();
  await setUp(world);
  await runNight(world);
  const { dashboard, screen, listed } = await counts(world);
  expect(listed).toEqual(amounts);
  expect(screen).toEqual(dashboard);
  expect(screen.count).toBe(listed.length);
  expect(Number(screen.amount)).toBe(listed.reduce((sum, amount) => sum + Number(amount), 0));
});

it('at most 200 payments with an unknown outcome are listed, and all are counted', async () => {
  await addClinic();
  for (let n = 1; n <= 201; n += 1) await addPayment(`p${n}`, { state: 'needs_human' });
  const { openPayments: open, count, cents } = await listToCheck({ db, now: Date.now }, ACCOUNT);
  expect(open).toHaveLength(200);
  expect([count, cents]).toEqual([201, 2_010_000]);
});
