import { hubs } from '#sandbox/credentials';
import type { Meter } from '#tests/support/unit/meter';
import { transaction } from '#tests/support/unit/world';
import type { Gateway, GatewayTransaction, TerminalRef } from '#worker/vendors/gateway-port';

const PAGE = 100;
/** Transactions in the batch of a large clinic's busy day. */
const IN_BATCH = 300;
/** Closed batches of a terminal in a new sandbox; other tests in the same runtime close more. */
const SEEDED_BATCHES = 3;

/** The nth sale at the gateway. From the 1,500th on, sales are not in the ledger. */
function sale(terminal: TerminalRef, n: number, createdAt: number): GatewayTransaction {
  const isBooked = n < 1500;
  const [attemptId, dedupeKey] = isBooked ? [`paid-${hubs[0].hubId}-${n}`, `paid${n}`] : ['', `walk-in-${n}`];
  const request = { attemptId, dedupeKey, amountCents: (n % 977) * 100 + 1, terminal };
  return transaction(request, { id: isBooked ? `payment${n}` : `walk-in-${n}`, createdAt });
}

const sales = (terminal: TerminalRef, first: number, count: number, at: number) =>
  Array.from({ length: count }, (_, n) => sale(terminal, first + n, at + n));

/** The sandbox's gateway with more transactions than a run reads, the same in every run. Each page counts as a call. */
export const longGateway = (meter: Meter, gateway: Gateway): Gateway => ({
  ...gateway,
  listBatches: async (terminal, filter) => {
    const batches = await gateway.listBatches(terminal, filter);
    if (batches === 'unavailable' || filter?.level) return batches;
    const [newest, ...older] = batches;
    return newest ? [newest, ...older.slice(-SEEDED_BATCHES)] : [];
  },
  batchTransactions: async (terminal, { openedAt }) => {
    meter.count();
    return sales(terminal, 0, IN_BATCH, openedAt ?? 0);
  },
  listTransactions: async (terminal, _method, { from }, page) => {
    meter.count();
    return { transactions: sales(terminal, (page - 1) * PAGE, PAGE, from + page * 60_000), isLast: false };
  },
});
