import type { Deps } from '#worker/deps';
import type { GatewayTransaction, SearchKey } from '#worker/vendors/gateway-port';
import { ACCOUNT, db } from './rows.ts';
import { transaction } from './world.ts';

const DAY_MS = 86_400_000;
export const NOW = 100 * DAY_MS;
export type Answer = GatewayTransaction[] | 'unavailable';

/** The gateway's answer to every lookup, or a function of the lookup. */
export type LookUpScript = Answer | ((by: SearchKey) => Answer);

/** The deps at this time with a gateway that answers this. `logs` and `requests` record log lines and lookups. */
export function depsWithGateway(script: LookUpScript, now = NOW) {
  const [logs, requests]: [[string, unknown?][], SearchKey[]] = [[], []];
  const find = async (_terminal: unknown, _method: unknown, searchKey: SearchKey) => {
    requests.push(searchKey);
    return typeof script === 'function' ? script(searchKey) : script;
  };
  const log = {
    info: (event: string, fields: unknown) => logs.push([event, fields]),
    alert: (event: string, fields: unknown) => logs.push([`ALERT ${event}`, fields]),
  };
  const settings = { CHARGE_TIMEOUT_MS: 10_000, SENT_GRACE_MS: 5_000 };
  const actor = { kind: 'staff', id: '1', sessionId: '', ipHash: '', requestId: '' };
  const ids = { newId: () => crypto.randomUUID(), newCapability: () => crypto.randomUUID() };
  const otherDeps = { settings, actor, clinic: 'c', now: () => now, ...ids };
  const gateway = { find, displayName: 'Clearent' };
  return { deps: { db, log, gateway, ...otherDeps } as unknown as Deps, logs, requests };
}

/** The gateway's refund of $30.00 for the reversal `r1`, made a day ago. */
export const refundOf = (fields: Partial<GatewayTransaction> = {}): GatewayTransaction =>
  transaction(
    {
      attemptId: 'r1',
      dedupeKey: 'k1',
      amountCents: 3_000,
      terminal: { accountId: ACCOUNT, terminalId: 't1', sealedApiKey: '' },
    },
    { id: 'g1', kind: 'REFUND', batchId: '8', createdAt: NOW - DAY_MS, ...fields },
  );
