import type { Deps } from '#worker/deps';
import type { FindBy, GatewayTransaction } from '#worker/vendors/gateway-port';
import { ACCOUNT, db } from './rows.ts';
import { transaction } from './world.ts';

const DAY_MS = 86_400_000;
export const NOW = 100 * DAY_MS;
export type Answer = GatewayTransaction[] | 'unavailable';

/** The answer of a gateway to every question, or one for each question. */
export type Shows = Answer | ((by: FindBy) => Answer);

/** The deps at a moment, with a gateway that shows this; `logs` and `asked` tell what was logged and asked. */
export function depsShown(shows: Shows, now = NOW) {
  const [logs, asked]: [[string, unknown?][], FindBy[]] = [[], []];
  const find = async (_terminal: unknown, _method: unknown, by: FindBy) => {
    asked.push(by);
    return typeof shows === 'function' ? shows(by) : shows;
  };
  const log = {
    info: (event: string, fields: unknown) => logs.push([event, fields]),
    alert: (event: string, fields: unknown) => logs.push([`ALERT ${event}`, fields]),
  };
  const settings = { CHARGE_TIMEOUT_MS: 10_000, SENT_GRACE_MS: 5_000 };
  const actor = { kind: 'staff', id: '1', sessionId: '', ipHash: '', requestId: '' };
  const made = { newId: () => crypto.randomUUID(), newCapability: () => crypto.randomUUID() };
  const rest = { settings, actor, clinic: 'c', now: () => now, ...made };
  const gateway = { find, displayName: 'Clearent' };
  return { deps: { db, log, gateway, ...rest } as unknown as Deps, logs, asked };
}

/** A refund of 30.00 made a day ago: the reversal `r1`. */
export const refundOf = (more: Partial<GatewayTransaction> = {}): GatewayTransaction =>
  transaction(
    {
      attemptId: 'r1',
      dedupeKey: 'k1',
      amountCents: 3_000,
      terminal: { accountId: ACCOUNT, terminalId: 't1', sealedApiKey: '' },
    },
    { id: 'g1', kind: 'REFUND', batchId: '8', createdAt: NOW - DAY_MS, ...more },
  );
