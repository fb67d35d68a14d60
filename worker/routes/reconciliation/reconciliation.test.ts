import { describe, expect, it } from 'vitest';
import { hubs, transactionWebhookSecret } from '#sandbox/credentials';
import type { BatchesReply } from '#shared/contracts/payments/batches';
import { type BatchReconciliation, ReconciliationView } from '#shared/contracts/payments/reconciliation';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp } from '#tests/support/login';
import { openRefund } from '#tests/support/open-refund';
import { counterTerminal } from '#tests/support/wire';
import { boardTerminal } from '#worker/domain/merchants/connect';

const terminal = counterTerminal();

async function openAccount() {
  const app = makeApp();
  const { token } = await logIn(app, 0);
  const { terminalId, name, channel, publicKey, apiKey } = terminal;
  await boardTerminal(app.deps, { accountId: hubs[0].hubId, terminalId, name, channel, publicKey, apiKey });
  const get = async <T>(path: string) => {
    const response = await app.request(path, { headers: bearer(token) });
    return { status: response.status, body: (await response.json()) as T };
  };
  const post = (path: string, body: unknown) =>
    app.request(path, {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { app, token, get, post };
}

describe('transaction webhooks', () => {
  const sendWebhook = (secret: string, body: string) =>
    makeApp().request(`/api/webhooks/transactions/${secret}`, { method: 'POST', body });

  it('are accepted only at the secret address', async () => {
    expect((await sendWebhook('guessed-guessed-guessed-guessed', '{}')).status).toBe(404);
    expect((await sendWebhook('', '{}')).status).toBe(404);
    expect((await sendWebhook(transactionWebhookSecret, 'x'.repeat(300_000))).status).toBe(413);
  });

  it('are accepted and dropped when unknown or unreadable', async () => {
    for (const body of ['', '{', '7', '{"code":"200"}', '{"PayLoadType":"settlement.done","Payload":{}}'])
      expect((await sendWebhook(transactionWebhookSecret, body)).status).toBe(204);
  });
});

describe('GET /api/terminals/{terminalId}/batches/{batchId}/match', () => {
  it('returns the lines of a closed batch, all from before the terminal was connected, with sums that agree', async () => {
    const { get } = await openAccount();
    const { body: list } = await get<BatchesReply>(`/api/terminals/${terminal.terminalId}/batches`);
    // Other tests in this runtime close batches with a single sale.
    const closedBatch = list.batch.find((batch) => batch.status === 'CLOSED' && Number(batch['sales-count']) > 2);
    const { status, body } = await get<BatchReconciliation>(
      `/api/terminals/${terminal.terminalId}/batches/${closedBatch?.id}/match`,
    );
    expect(status).toBe(200);
    expect(body.lines.length).toBeGreaterThan(2);
    expect(body.lines.every(({ verdict }) => verdict === 'earlier' || verdict === 'none')).toBe(true);
    expect(body.sums.map(({ what, agrees }) => [what, agrees])).toEqual([
      ['sales', true],
      ['refunds', true],
      ['net', true],
    ]);
  });

  it('returns 404 for an unknown batch or terminal', async () => {
    const { get } = await openAccount();
    expect((await get(`/api/terminals/${terminal.terminalId}/batches/999999/match`)).status).toBe(404);
    expect((await get('/api/terminals/T-nobody/batches/1/match')).status).toBe(404);
  });
});

describe('POST /api/matching', () => {
  it('reconciles at once and returns the time', async () => {
    const { app, get, post } = await openAccount();
    const { reconcileAccounts } = await import('#worker/domain/reconciliation/reconcile-accounts');
    await reconcileAccounts(app.deps);
    const answer = await post('/api/matching', {});
    expect(answer.status).toBe(200);
    const view = ReconciliationView.parse(await answer.json());
    expect(view.checked_at).not.toBeNull();
    expect((await get<ReconciliationView>('/api/matching')).body).toMatchObject({ differences: view.differences });
  });
});

describe('POST /api/reversals/{id}/resolution', () => {
  it('requires a verdict and a note, checks the verdict against the gateway and rejects a second verdict', async () => {
    const { app, get, post } = await openAccount();
    const id = await openRefund(app.deps.db, terminal.terminalId);
    const resolve = async (body: unknown, reversalId = id) => {
      const answer = await post(`/api/reversals/${reversalId}/resolution`, body);
      const reply = (await answer.json()) as { message?: string; error?: { message: string } };
      return [answer.status, reply.error?.message ?? reply.message];
    };
    const note = 'Called the provider';
    expect(await resolve({ verdict: 'happened', note: ' ' })).toEqual([422, 'Please say how you know.']);
    expect((await resolve({ verdict: 'charged', note }))[0]).toBe(422);
    expect((await resolve({ verdict: 'happened', note, amount: 1 }))[0]).toBe(422);
    expect(await resolve({ verdict: 'happened', note }, 'none')).toEqual([404, 'Refund not found.']);
    expect(await resolve({ verdict: 'happened', note })).toEqual([
      409,
      'Clearent shows no refund that is not already in our books.',
    ]);
    expect(await resolve({ verdict: 'not-happened', note })).toEqual([
      200,
      'The refund of $71.10 on INV-1 did not happen.',
    ]);
    expect(await resolve({ verdict: 'not-happened', note })).toEqual([409, 'This is already decided.']);
    const { body } = await get<ReconciliationView>('/api/matching');
    expect(body.undecided_reversals.some(({ reversal_id }) => reversal_id === id)).toBe(false);
    expect(body.resolved[0]).toMatchObject({ about: 'refund', amount: '71.10', verdict: 'not-happened', note });
  });

  it('returns 404 to an administrator of another account', async () => {
    const { app } = await openAccount();
    const id = await openRefund(app.deps.db, terminal.terminalId);
    const otherLogin = await logIn(app, 1);
    const answer = await app.request(`/api/reversals/${id}/resolution`, {
      method: 'POST',
      headers: { ...bearer(otherLogin.token), 'content-type': 'application/json' },
      body: JSON.stringify({ verdict: 'not-happened', note: 'Mine' }),
    });
    expect(answer.status).toBe(404);
  });
});

describe('POST /api/payments/{id}/resolution', () => {
  it('requires a known verdict and a note of valid length', async () => {
    const { post } = await openAccount();
    const resolve = async (body: unknown) => {
      const answer = await post('/api/payments/none/resolution', body);
      return [answer.status, ((await answer.json()) as { error: { message: string } }).error.message];
    };
    expect(await resolve({ verdict: 'charged', note: ' ' })).toEqual([422, 'Please say how you know.']);
    expect(await resolve({ verdict: 'charged', note: 'x'.repeat(501) })).toEqual([
      422,
      'Please keep the note within 500 characters.',
    ]);
    expect((await resolve({ verdict: 'maybe', note: 'x' }))[0]).toBe(422);
    expect(await resolve({ verdict: 'charged', note: 'Called' })).toEqual([404, 'Payment not found.']);
  });
});
