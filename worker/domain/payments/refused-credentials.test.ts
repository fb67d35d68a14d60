import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { approvedOutcome, makeWorld, transaction, type World } from '#tests/support/unit/world';
import { terminals } from '#worker/data/schema/schema';
import { boardTerminal } from '#worker/domain/merchants/connect';
import { inquirePaymentStatus } from '#worker/domain/payments/inquire-status';
import { takePayment } from '#worker/domain/payments/take-payment';
import { reconcileAccounts } from '#worker/domain/reconciliation/reconcile-accounts';
import { viewReconciliation } from '#worker/domain/reconciliation/view-reconciliation';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const pay = (world: World) => takePayment(world.deps, world.payId, paymentForm(), { clientIp: 'ip' });
const readRefusedAt = async (world: World, terminalId: string) =>
  (await world.db.select().from(terminals).where(eq(terminals.terminalId, terminalId)))[0]?.refusedAt;

/** The provider has closed the clinic's first terminal and boarded a second one. */
async function makeClosedTerminal() {
  const world = await makeWorld();
  const { accountId } = world;
  const [first, second] = [`T${accountId}`, `U${accountId}`];
  const board = (terminalId: string) =>
    boardTerminal(world.deps, {
      accountId,
      terminalId,
      name: 'Web',
      channel: 'ecommerce',
      publicKey: 'def',
      apiKey: 'new-key',
    });
  world.clock.now += DAY;
  await board(second);
  const closed = new Set([first]);
  world.gateway.script.charge = (request) =>
    closed.has(request.terminal.terminalId)
      ? { kind: 'rejected', reason: 'credentials', message: 'UNAUTHORIZED', providerCode: '042' }
      : approvedOutcome(request);
  const { port } = world.gateway;
  world.deps.gateway = {
    ...port,
    listTransactions: async (terminal, ...rest) =>
      closed.has(terminal.terminalId) ? 'unavailable' : port.listTransactions(terminal, ...rest),
    find: async (terminal, ...rest) => (closed.has(terminal.terminalId) ? 'unavailable' : port.find(terminal, ...rest)),
  };
  return { world, first, second, board, closed };
}

describe('a terminal whose credentials the provider rejects', () => {
  it('is replaced by another one from the next payment on, with an alert', async () => {
    const { world, first, second } = await makeClosedTerminal();
    expect((await pay(world)).kind).toBe('gateway-unavailable');
    expect(await readRefusedAt(world, first)).toBe(world.clock.now);
    expect(world.logs.filter((line) => line.startsWith('ALERT')).join()).toContain('gateway-refused-our-credentials');
    expect((await pay(world)).kind).toBe('approved');
    expect(world.gateway.charges.map(({ terminal }) => terminal.terminalId)).toEqual([first, second]);
  });

  it('does not stop nightly reconciliation', async () => {
    const { world } = await makeClosedTerminal();
    for (let night = 0; night < 3; night++) {
      world.clock.now += DAY;
      await reconcileAccounts(world.deps);
    }
    const view = await viewReconciliation(world.deps, world.accountId);
    expect(view).toMatchObject({ failing_since: null });
    expect(view.checked_at).not.toBeNull();
  });

  it('is used again once a nightly run got an answer through it', async () => {
    const { world, first, closed } = await makeClosedTerminal();
    await pay(world);
    closed.clear();
    world.clock.now += DAY;
    await reconcileAccounts(world.deps);
    expect(await readRefusedAt(world, first)).toBeNull();
  });

  it('is used again once its key was renewed', async () => {
    const { world, first, board } = await makeClosedTerminal();
    await pay(world);
    await board(first);
    expect(await readRefusedAt(world, first)).toBeNull();
  });

  it('is replaced after a nightly run even if no charge was attempted on it', async () => {
    const { world, first, second } = await makeClosedTerminal();
    world.clock.now += DAY;
    await reconcileAccounts(world.deps);
    expect(await readRefusedAt(world, first)).toBe(world.clock.now);
    expect(world.logs.filter((line) => line.startsWith('ALERT')).join()).toContain('gateway-refused-our-credentials');
    expect((await pay(world)).kind).toBe('approved');
    expect(world.gateway.charges.map(({ terminal }) => terminal.terminalId)).toEqual([second]);
  });

  it('is not replaced when the provider was silent once or on every terminal', async () => {
    const { world, first, second, closed } = await makeClosedTerminal();
    closed.clear();
    const { listTransactions } = world.deps.gateway;
    let calls = 0;
    world.deps.gateway.listTransactions = async (terminal, ...rest) =>
      terminal.terminalId === first && calls++ === 1 ? 'unavailable' : listTransactions(terminal, ...rest);
    world.clock.now += DAY;
    await reconcileAccounts(world.deps);
    closed.add(first).add(second);
    world.clock.now += DAY;
    await reconcileAccounts(world.deps);
    expect(await readRefusedAt(world, first)).toBeNull();
    expect(await readRefusedAt(world, second)).toBeNull();
  });

  it('does not hide the outcome of a payment that was sent through it', async () => {
    const { world, closed, first } = await makeClosedTerminal();
    closed.clear();
    world.gateway.script.charge = () => ({ kind: 'unknown', cause: 'lost', exchangeId: '' });
    await pay(world);
    closed.add(first);
    const [request] = world.gateway.charges;
    if (!request) throw new Error('nothing was charged');
    world.gateway.script.find = () => [transaction(request)];
    for (let check = 0; check < 3; check++) {
      world.clock.now += HOUR;
      const [attempt] = await world.attempts();
      if (attempt) await inquirePaymentStatus(world.deps, attempt);
    }
    expect((await world.attempts())[0]?.state).toBe('approved');
  });
});
