import { afterEach, describe, expect, it, vi } from 'vitest';
import { cardToken, clearFaults, control, onlineTerminal, sandboxUrl } from '#tests/support/wire';
import { createClearent } from './clearent.ts';

const createGateway = (overrides: Partial<Parameters<typeof createClearent>[0]> = {}) =>
  createClearent({
    baseUrl: sandboxUrl(),
    sandbox: true,
    timeoutMs: 5000,
    terminalTimeoutMs: 5000,
    openApiKey: async () => onlineTerminal().apiKey,
    ...overrides,
  });
const terminal = { accountId: 1, terminalId: '70143', sealedApiKey: 'sealed' };
const newId = () => crypto.randomUUID().replaceAll('-', '');
const PATH = '/rest/v2/transactions';

afterEach(async () => {
  vi.unstubAllGlobals();
  await clearFaults();
});

async function chargeCard(amountCents = 5000): Promise<string> {
  const attemptId = newId();
  const outcome = await createGateway().charge({
    terminal,
    attemptId,
    dedupeKey: attemptId,
    amountCents,
    method: 'card',
    token: await cardToken(),
    billing: { firstName: 'Ivy', lastName: 'Tran', address: '', address2: '', city: '', state: '', zip: '' },
    clientIp: null,
  });
  if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  return outcome.txn.id;
}
const reversal = (providerTxnId: string) => ({ terminal, providerTxnId, reversalId: newId() });
const refundPart = (providerTxnId: string, amountCents: number) => {
  const request = reversal(providerTxnId);
  return createGateway().refund({ ...request, dedupeKey: request.reversalId, amountCents });
};
const findPayment = async (providerTxnId: string) => {
  const matches = await createGateway().find(terminal, 'card', { providerTxnId });
  return matches === 'unavailable' ? matches : matches[0];
};
const closeBatch = () => createGateway().closeBatch(terminal, 'ecommerce');

describe('a void', () => {
  it('reverses the full payment once, while its batch is open', async () => {
    const id = await chargeCard();
    const request = reversal(id);
    expect(await createGateway().voidTransaction(request)).toMatchObject({
      kind: 'approved',
      txn: { kind: 'VOID', parentId: id, attemptId: request.reversalId, amountCents: 5000 },
    });
    expect(await findPayment(id)).toMatchObject({ state: 'approved', isVoided: true });
    expect(await createGateway().voidTransaction(reversal(id))).toMatchObject({
      kind: 'refused',
      reason: 'already-reversed',
    });
  });

  it('is refused once the batch is closed', async () => {
    const id = await chargeCard();
    await closeBatch();
    expect(await createGateway().voidTransaction(reversal(id))).toMatchObject({
      kind: 'refused',
      reason: 'not-in-open-batch',
    });
    expect(await findPayment(id)).toMatchObject({ isVoided: false });
  });

  it('is refused for an unknown payment', async () => {
    expect(await createGateway().voidTransaction(reversal('1'))).toMatchObject({
      kind: 'refused',
      reason: 'not-found',
    });
  });

  it.each([
    ['the payment, voided', { id: '5', voided: 'true' }, 'approved'],
    ['the payment, not voided', { id: '5', voided: 'false' }, 'unknown'],
    ['another void', { id: '6', type: 'VOID', 'ref-id': '4' }, 'unknown'],
    ['the void without its parent', { id: '6', type: 'VOID' }, 'approved'],
    ['a sale', { id: '6', type: 'SALE' }, 'unknown'],
  ])('classifies the reply: %s', async (_case, transaction, kind) => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ payload: { transaction: { result: 'APPROVED', ...transaction } } }),
    );
    expect((await createGateway().voidTransaction(reversal('5'))).kind).toBe(kind);
  });
});

describe('a refund', () => {
  it('returns partial amounts until nothing is left', async () => {
    const id = await chargeCard();
    await closeBatch();
    expect(await refundPart(id, 3000)).toMatchObject({
      kind: 'approved',
      txn: { kind: 'REFUND', parentId: id, amountCents: 3000, state: 'approved' },
    });
    expect(await refundPart(id, 2001)).toMatchObject({
      kind: 'refused',
      reason: 'over-remainder',
      providerCode: '025',
    });
    expect((await refundPart(id, 2000)).kind).toBe('approved');
    expect(await refundPart(id, 1)).toMatchObject({ kind: 'refused', reason: 'over-remainder' });
  });

  it('is refused for a voided payment or a zero amount', async () => {
    const id = await chargeCard();
    expect((await refundPart(id, 0)).kind).toBe('refused');
    await createGateway().voidTransaction(reversal(id));
    expect(await refundPart(id, 100)).toMatchObject({ kind: 'refused', reason: 'already-reversed' });
  });

  it('returns no money under a reused key, and has an unknown outcome', async () => {
    const id = await chargeCard();
    const [first, second] = [reversal(id), reversal(id)];
    const dedupeKey = first.reversalId;
    expect((await createGateway().refund({ ...first, dedupeKey, amountCents: 1000 })).kind).toBe('approved');
    expect((await createGateway().refund({ ...second, dedupeKey, amountCents: 1000 })).kind).toBe('unknown');
    expect(await createGateway().find(terminal, 'card', { attemptId: second.reversalId })).toEqual([]);
    expect((await refundPart(id, 4000)).kind).toBe('approved');
  });

  it.each([
    ['drop-before', 0],
    ['drop-after', 1],
    ['500', 0],
    ['500-after', 1],
    ['html-502', 0],
    ['html-after', 1],
    ['bad-json', 1],
    ['xml', 1],
    ['wrong-amount', 1],
    ['429', 0],
    ['redirect', 0],
  ])('has an unknown outcome after %s, and a search by its id finds %i', async (kind, count) => {
    const request = reversal(await chargeCard());
    await control('faults', { on: PATH, do: kind });
    expect((await createGateway().refund({ ...request, dedupeKey: request.reversalId, amountCents: 700 })).kind).toBe(
      'unknown',
    );
    expect(await createGateway().find(terminal, 'card', { attemptId: request.reversalId })).toMatchObject(
      Array(count).fill({ kind: 'REFUND', amountCents: 700, state: 'approved' }),
    );
  });

  it('rejects a void without a valid key', async () => {
    const id = await chargeCard();
    const sealed = createGateway({ openApiKey: () => Promise.reject(new Error('sealed')) });
    const stranger = createGateway({ openApiKey: async () => 'f'.repeat(32) });
    for (const client of [sealed, stranger])
      expect(await client.voidTransaction(reversal(id))).toMatchObject({ kind: 'rejected', reason: 'credentials' });
    expect(await findPayment(id)).toMatchObject({ isVoided: false });
  });

  it.each([
    ['200 without an id', Response.json({ payload: { transaction: {} } }), 'unknown'],
    [
      'a decline under status 200',
      Response.json({ payload: { transaction: { id: '1', result: 'DECLINED' } } }),
      'unknown',
    ],
    ['204', new Response(null, { status: 204 }), 'unknown'],
    ['402 and nothing', Response.json({}, { status: 402 }), 'unknown'],
    ['a duplicate', Response.json({ payload: { error: { 'result-code': '032' } } }, { status: 402 }), 'unknown'],
    ['another refusal', Response.json({ payload: { error: { 'result-code': '014' } } }, { status: 402 }), 'refused'],
    [
      'a refusal with an approved refund',
      Response.json(
        { payload: { error: { 'result-code': '025' }, transaction: { id: '9', type: 'REFUND', result: 'APPROVED' } } },
        { status: 402 },
      ),
      'unknown',
    ],
    [
      'a refusal with the payment itself',
      Response.json(
        { payload: { error: { 'result-code': '025' }, transaction: { id: '5', type: 'SALE', result: 'APPROVED' } } },
        { status: 402 },
      ),
      'refused',
    ],
    ['a broken rule', Response.json({ payload: { error: { 'result-code': '041' } } }, { status: 400 }), 'rejected'],
  ])('classifies the reply: %s', async (_case, reply, kind) => {
    vi.stubGlobal('fetch', async () => reply);
    expect((await refundPart('5', 100)).kind).toBe(kind);
  });
});
