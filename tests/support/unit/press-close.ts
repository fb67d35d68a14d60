import { ACCOUNT, add, db } from '#tests/support/unit/rows';
import { findClose } from '#worker/data/batches/batches';
import type { Deps } from '#worker/deps';
import { closeBatch } from '#worker/domain/batches/close';
import type { CloseOutcome, GatewayBatch } from '#worker/vendors/gateway-port';

export const NOW = 100 * 86_400_000;
export type BatchList = GatewayBatch[] | 'unavailable';

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
export const addClose = (batch_id: string, state: string, fields: Record<string, unknown> = {}) =>
  add('batch_closes', { terminal_id: 't1', batch_id, state, requested_by: 1, requested_at: NOW, ...fields });
export const closeOf = (batchId = '7') => findClose(db, { accountId: ACCOUNT, terminalId: 't1', batchId });

type World = {
  lists?: BatchList[];
  outcome?: CloseOutcome;
  onPause?: () => unknown;
  database?: typeof db;
  at?: number;
};

/** Presses Close Batch. `lists`: the gateway's batch lists, one per read; the last one repeats. */
export async function pressClose(
  confirmedId: string | null,
  { lists = [], outcome, onPause, database = db, at = NOW }: World = {},
) {
  const effects = { read: 0, closes: 0, pauses: [] as number[], logs: [] as [string, unknown][] };
  const gateway = {
    listBatches: async () => lists[Math.min(effects.read++, lists.length - 1)] ?? [],
    closeBatch: async () => {
      effects.closes++;
      return outcome ?? { kind: 'nothing-open' };
    },
  };
  const record = (event: string, fields: unknown) => void effects.logs.push([event, fields]);
  const pause = async (ms: number) => {
    if (effects.pauses.push(ms) > 100) throw new Error('the close never stops waiting');
    await onPause?.();
  };
  const actor = { kind: 'staff', id: '1', sessionId: '', ipHash: '', requestId: '' };
  const otherDeps = {
    actor,
    newId: () => crypto.randomUUID(),
    settings: { CHARGE_TIMEOUT_MS: 10_000, SENT_GRACE_MS: 5_000 },
  };
  const deps = { db: database, gateway, now: () => NOW, pause, log: { info: record, alert: record }, ...otherDeps };
  const merchant = { sessionId: '', accountId: ACCOUNT, userId: 2, role: 'manager' } as const;
  const answer = await closeBatch(deps as unknown as Deps, merchant, 't1', confirmedId, at);
  return { answer, ...effects };
}
