import { ACCOUNT, add, db } from '#tests/support/unit/rows';
import { findClose } from '#worker/data/batches/batches';
import type { Deps } from '#worker/deps';
import { closeBatch } from '#worker/domain/batches/close';
import type { CloseOutcome, GatewayBatch } from '#worker/vendors/gateway-port';

export const NOW = 100 * 86_400_000;
export type List = GatewayBatch[] | 'unavailable';

export const batch = (id: string, status: GatewayBatch['status'] = 'open'): GatewayBatch => ({
  id,
  status,
  terminalId: 't1',
  terminalName: '',
  openedAt: 5,
  settledAt: null,
  salesCount: 1,
  salesCents: 100,
  refundCount: 0,
  refundCents: 0,
  netCents: 100,
  confirmationCode: '',
});
export const addClose = (batch_id: string, state: string, more: Record<string, unknown> = {}) =>
  add('batch_closes', { terminal_id: 't1', batch_id, state, requested_by: 1, requested_at: NOW, ...more });
export const closeOf = (batchId = '7') => findClose(db, { accountId: ACCOUNT, terminalId: 't1', batchId });

type World = { lists?: List[]; outcome?: CloseOutcome; onPause?: () => unknown; database?: typeof db; at?: number };

/** A press of the button; the lists are those that the gateway shows, one after the other, the last one again and again. */
export async function press(
  named: string | null,
  { lists = [], outcome, onPause, database = db, at = NOW }: World = {},
) {
  const seen = { read: 0, closes: 0, pauses: [] as number[], logs: [] as [string, unknown][] };
  const gateway = {
    listBatches: async () => lists[Math.min(seen.read++, lists.length - 1)] ?? [],
    closeBatch: async () => {
      seen.closes++;
      return outcome ?? { kind: 'nothing-open' };
    },
  };
  const note = (event: string, fields: unknown) => void seen.logs.push([event, fields]);
  const pause = async (ms: number) => {
    if (seen.pauses.push(ms) > 100) throw new Error('it waits without an end');
    await onPause?.();
  };
  const actor = { kind: 'staff', id: '1', sessionId: '', ipHash: '', requestId: '' };
  const rest = {
    actor,
    newId: () => crypto.randomUUID(),
    settings: { CHARGE_TIMEOUT_MS: 10_000, SENT_GRACE_MS: 5_000 },
  };
  const deps = { db: database, gateway, now: () => NOW, pause, log: { info: note, alert: note }, ...rest };
  const merchant = { sessionId: '', accountId: ACCOUNT, userId: 2, role: 'manager' } as const;
  const answer = await closeBatch(deps as unknown as Deps, merchant, 't1', named, at);
  return { answer, ...seen };
}
