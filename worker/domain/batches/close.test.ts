import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { makeWorld, type World } from '#tests/support/unit/world';
import { listCloses } from '#worker/data/batches/batches';
import { readBatches } from '#worker/domain/terminals/batches';
import type { CloseOutcome, GatewayBatch } from '#worker/vendors/gateway-port';
import { closeBatch } from './close.ts';

const batchOf = (id: string, overrides: Partial<GatewayBatch> = {}): GatewayBatch => ({
  id,
  status: 'open',
  terminalId: 'T',
  terminalName: 'Front terminal 1',
  openedAt: Date.UTC(2026, 2, 4, 9),
  settledAt: null,
  salesCount: 3,
  salesCents: 30_000,
  refundCount: 0,
  refundCents: 0,
  netCents: 30_000,
  confirmationCode: '',
  ...overrides,
});

/** A gateway with one terminal. It closes the batch that is open when the call arrives. */
function makeTerminal(world: World) {
  const batches: GatewayBatch[] = [];
  let next = 4471;
  const sell = () => {
    if (!batches.some(({ status }) => status === 'open')) batches.unshift(batchOf(String(next++)));
  };
  const close = (): CloseOutcome => {
    const index = batches.findIndex(({ status }) => status === 'open');
    const openBatch = batches[index];
    if (!openBatch) return { kind: 'nothing-open' };
    const closedBatch: GatewayBatch = {
      ...openBatch,
      status: 'closed',
      settledAt: world.clock.now,
      confirmationCode: `GB${openBatch.id}`,
    };
    batches[index] = closedBatch;
    return { kind: 'closed', batch: closedBatch };
  };
  world.gateway.script.batches = () => batches.map((batch) => ({ ...batch }));
  world.gateway.script.close = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return close();
  };
  world.deps.pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms / 2));
  const merchant = { sessionId: 's', clinic: 1, accountId: world.accountId, userId: 7, role: 'manager' } as const;
  const requestClose = (confirmedId: string | null = null) =>
    closeBatch(world.deps, merchant, `T${world.accountId}`, confirmedId);
  const terminal = {
    ref: { accountId: world.accountId, terminalId: `T${world.accountId}`, sealedApiKey: '' },
    channel: 'counter' as const,
    name: 'Front terminal 1',
  };
  return {
    batches,
    sell,
    close,
    submitClose: requestClose,
    terminal,
    closes: () => listCloses(world.db, terminal.ref, 100),
  };
}

describe('closing a batch', () => {
  it('closes the open batch and returns its confirmation code', async () => {
    const world = await makeWorld();
    const { sell, submitClose } = makeTerminal(world);
    sell();
    expect(await submitClose()).toMatchObject({
      kind: 'closed',
      batchId: '4471',
      batch: { confirmationCode: 'GB4471' },
    });
    expect(world.gateway.closes).toHaveLength(1);
  });

  it('records the close once when the database’s answer to the write is lost', async () => {
    const world = await makeWorld();
    const { sell, submitClose, closes } = makeTerminal(world);
    sell();
    const { db } = world.deps;
    const batch: typeof db.batch = async (statements) => {
      const results = await db.batch(statements);
      if (world.gateway.closes.length === 1 && lostResponses++ === 0) throw new Error('D1_ERROR: the object was reset');
      return results;
    };
    let lostResponses = 0;
    world.deps.db = Object.assign(Object.create(db), { batch });
    expect(await submitClose()).toMatchObject({ kind: 'closed', batchId: '4471' });
    expect(lostResponses).toBeGreaterThan(1);
    expect(await closes()).toMatchObject([{ state: 'closed' }]);
    expect(world.logs).not.toContain('ALERT batch-close-not-noted');
    const moves = "SELECT count(*) AS n FROM audit_events WHERE action = 'batch-close.moved'";
    expect(await env.DB.prepare(moves).first('n')).toBe(1);
  });

  it('closes one batch once for twenty simultaneous requests, in several rounds with sales in between', async () => {
    const world = await makeWorld();
    const { batches, sell, submitClose } = makeTerminal(world);
    for (let round = 0; round < 3; round++) {
      sell();
      const openId = batches.find(({ status }) => status === 'open')?.id;
      const closesBefore = world.gateway.closes.length;
      const requests = Array.from({ length: 20 }, async (_, index) => {
        if (index === 10) {
          while (world.gateway.closes.length === closesBefore) await new Promise((resolve) => setTimeout(resolve, 1));
          sell();
        }
        return submitClose(round % 2 === 0 ? null : (openId ?? null));
      });
      const answers = await Promise.all(requests);
      expect(world.gateway.closes.length - closesBefore, `closes in round ${round}`).toBe(1);
      expect(new Set(answers.map((answer) => 'batchId' in answer && answer.batchId))).toEqual(new Set([openId]));
      world.clock.now += 2000;
    }
  });

  it('does not close the next batch when a second request names the first batch', async () => {
    const world = await makeWorld();
    const { batches, sell, submitClose } = makeTerminal(world);
    sell();
    await submitClose('4471');
    world.clock.now += 3_600_000;
    sell();
    expect(await submitClose('4471')).toMatchObject({
      kind: 'closed',
      batchId: '4471',
      batch: { confirmationCode: 'GB4471' },
    });
    expect(batches[0]).toMatchObject({ id: '4472', status: 'open' });
    expect(await submitClose('4472')).toMatchObject({ kind: 'closed', batchId: '4472' });
    expect(world.gateway.closes).toHaveLength(2);
  });

  it('returns the batch just closed to a second request without a batch id', async () => {
    const world = await makeWorld();
    const { batches, sell, submitClose } = makeTerminal(world);
    sell();
    await submitClose();
    world.clock.now += 200;
    sell();
    expect(await submitClose()).toMatchObject({ kind: 'closed', batchId: '4471' });
    expect(batches[0]).toMatchObject({ id: '4472', status: 'open' });
  });

  it('looks up a close with a lost answer in the batch list instead of closing again', async () => {
    const world = await makeWorld();
    const { batches, sell, submitClose, close } = makeTerminal(world);
    sell();
    world.gateway.script.close = () => {
      close();
      sell();
      return { kind: 'unknown', cause: 'TimeoutError' };
    };
    expect(await submitClose()).toMatchObject({ kind: 'closed', batchId: '4471' });
    expect(batches[0]).toMatchObject({ id: '4472', status: 'open' });
    expect(world.gateway.closes).toHaveLength(1);
  });

  it('keeps an unanswered close unknown while it may still arrive, then allows another request', async () => {
    const world = await makeWorld();
    const { sell, submitClose, terminal, closes } = makeTerminal(world);
    sell();
    world.gateway.script.close = () => ({ kind: 'unknown', cause: 'TimeoutError' });
    expect(await submitClose()).toEqual({ kind: 'unknown', batchId: '4471' });
    expect(await submitClose('4471')).toEqual({ kind: 'unknown', batchId: '4471' });
    expect(world.gateway.closes).toHaveLength(1);
    world.clock.now += 10 * 60_000;
    await readBatches(world.deps, terminal);
    expect(await closes()).toMatchObject([{ batchId: '4471', state: 'failed' }]);
    world.gateway.script.close = () => ({ kind: 'closed', batch: batchOf('4471', { status: 'closed' }) });
    expect(await submitClose('4471')).toMatchObject({ kind: 'closed', batchId: '4471' });
  });

  it('does not close again while a dead Worker holds the claim', async () => {
    const world = await makeWorld();
    const { sell, submitClose, closes } = makeTerminal(world);
    sell();
    world.gateway.script.close = () => {
      throw new Error('the Worker is gone');
    };
    await expect(submitClose()).rejects.toThrow();
    expect(await closes()).toMatchObject([{ state: 'sent' }]);
    expect(await submitClose()).toEqual({ kind: 'unknown', batchId: '4471' });
    expect(world.gateway.closes).toHaveLength(1);
  });

  it('returns the gateway’s reason for refusing, then allows another request', async () => {
    const world = await makeWorld();
    const { sell, submitClose, close } = makeTerminal(world);
    sell();
    world.gateway.script.close = () => ({ kind: 'failed', message: 'Batch failure', providerCode: '002' });
    expect(await submitClose('4471')).toEqual({ kind: 'failed', batchId: '4471', message: 'Batch failure' });
    world.clock.now += 5000;
    world.gateway.script.close = close;
    expect(await submitClose('4471')).toMatchObject({ kind: 'closed' });
  });

  it('reports a missing open batch, an unknown batch, another account’s terminal and a silent gateway', async () => {
    const world = await makeWorld();
    const { submitClose } = makeTerminal(world);
    expect(await submitClose()).toEqual({ kind: 'nothing-open' });
    expect(await submitClose('99')).toEqual({ kind: 'no-batch' });
    const other = { sessionId: 's', clinic: 1, accountId: world.accountId + 1, userId: 7, role: 'manager' } as const;
    expect(await closeBatch(world.deps, other, `T${world.accountId}`, null)).toEqual({ kind: 'no-terminal' });
    world.gateway.script.batches = () => 'unavailable';
    expect(await submitClose()).toEqual({ kind: 'unavailable' });
    expect(world.gateway.closes).toHaveLength(0);
  });

  it('alerts when the gateway closed a different batch from the one claimed', async () => {
    const world = await makeWorld();
    const { sell, submitClose } = makeTerminal(world);
    sell();
    world.gateway.script.close = () => ({ kind: 'closed', batch: batchOf('4470', { status: 'closed' }) });
    expect(await submitClose()).toEqual({ kind: 'unknown', batchId: '4471' });
    expect(world.logs).toContain('ALERT another-batch-closed');
  });
});
