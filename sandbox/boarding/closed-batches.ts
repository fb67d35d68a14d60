import { Hono } from 'hono';
import { decimalFromCents } from '#shared/money';
import { boarding } from '../credentials.ts';
import type { SandboxEnv, World } from '../world.ts';

type Closed = { id: number; terminal_id: string; settled_ms: number; net_cents: number };

const DAY_MS = 86_400_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
/** 2.6 percent, taken before the money is paid out. */
const feeOf = (cents: number) => Math.round((Math.max(0, cents) * 26) / 1000);

/** The provider's report of what is paid out to a merchant. */
export function closedBatchRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  // [documented] By an OpenAPI description of the reporting service: address, parameters and these fields.
  app.get('/data/api/v1/standard/merchantClosedBatches', (c) => {
    if (c.req.header('accesskey') !== boarding.accessKey) return c.json({ message: 'Access denied.' }, 401);
    const { merchantNumber = '', expectedFundedDate = '', pageNumber = '1', pageSize = '100' } = c.req.query();
    const size = Math.min(500, Math.max(1, Number(pageSize)));
    const closed = world.store.all<Closed>(
      `SELECT batches.id, batches.terminal_id, batches.settled_ms,
        coalesce(sum(CASE txn.type WHEN 'REFUND' THEN -txn.amount_cents ELSE txn.amount_cents END), 0) AS net_cents
      FROM batches JOIN terminals USING (terminal_id)
      LEFT JOIN transactions AS txn ON txn.batch_id = batches.id AND txn.result = 'APPROVED' AND txn.voided = 0
        AND txn.type IN ('SALE', 'CAPTURE', 'REFUND')
      WHERE terminals.merchant_id = ? AND batches.status = 'CLOSED' AND batches.settled_ms <= ?
      GROUP BY batches.id ORDER BY batches.id`,
      merchantNumber,
      world.now(),
    );
    const rows = closed
      .map((batch) => ({ ...batch, fundedDate: dayOf(batch.settled_ms + DAY_MS) }))
      .filter(({ fundedDate }) => expectedFundedDate === '' || fundedDate === expectedFundedDate);
    const from = (Math.max(1, Number(pageNumber)) - 1) * size;
    return c.json(
      rows.slice(from, from + size).map(({ id, terminal_id, settled_ms, net_cents, fundedDate }) => ({
        batchNumber: String(id).padStart(6, '0'),
        terminalID: terminal_id,
        closedDate: dayOf(settled_ms),
        fundedDate,
        depositAmount: Number(decimalFromCents(net_cents - feeOf(net_cents))),
      })),
    );
  });
  return app;
}
