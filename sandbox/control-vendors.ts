import { Hono } from 'hono';
import { z } from 'zod';
import { decimalFromCents } from '#shared/money';
import { answerInvalidControlCall, InvalidControlCall, readBody, refuseForeignPages } from './control-guard.ts';
import { hubs } from './credentials.ts';
import { INVOICE, PAYMENT } from './crm/object-types.ts';
import { findRecord, linksOf, listRecords, type Properties } from './crm/records.ts';
import { advanceDebits, changeAchStatus, debitStatus } from './gateway/ach.ts';
import type { WebhookAnnouncer } from './gateway/announce.ts';
import { closeBatch } from './gateway/batches.ts';
import type { TerminalSales } from './gateway/terminals/terminal-sales.ts';
import { findTerminal } from './gateway/terminals/terminals.ts';
import { findTransactions, idOf, seqOf } from './gateway/transactions.ts';
import { sentWebhooks } from './webhooks.ts';
import type { SandboxEnv, World } from './world.ts';

/** Shows people and tests the CRM's payment records, without the association lag of the CRM's own responses. */
export function controlCrmRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use('/_sandbox/*', refuseForeignPages);
  app.get('/_sandbox/hubs/:hub/payments', (c) => {
    const hubId = hubIdOf(c.req.param('hub'));
    const records = listRecords(world, hubId, PAYMENT, 0, 100_000, false);
    return c.json(
      records.map((record) => {
        const payment: Properties = JSON.parse(record.properties);
        return {
          id: String(record.id),
          invoice: linkedInvoice(world, hubId, record.id),
          amount: payment.hs_initial_amount ?? null,
          status: payment.hs_latest_status ?? null,
          refunds: payment.hs_refunds_amount ?? '0.00',
          reference: payment.hs_reference_number ?? '',
          created_at: new Date(record.created_ms).toISOString(),
        };
      }),
    );
  });
  app.get('/_sandbox/hubs/:hub/invoices/:id', (c) => {
    const record = findRecord(world, hubIdOf(c.req.param('hub')), INVOICE, c.req.param('id'));
    if (!record) return c.json({ error: 'this hub has no such invoice' }, 404);
    const invoice: Properties = JSON.parse(record.properties);
    return c.json({
      status: invoice.hs_invoice_status ?? null,
      balance: invoice.hs_balance_due ?? null,
      billed: invoice.hs_amount_billed ?? null,
    });
  });
  return app;
}

/** Accepts an account's number or its 1-based position in the list. Returns 0 if neither matches. */
const hubIdOf = (name: string): number =>
  hubs.find(({ hubId }, index) => String(hubId) === name || String(index + 1) === name)?.hubId ?? 0;

function linkedInvoice(world: World, hubId: number, paymentId: number): string | null {
  const [link] = linksOf(world, hubId, PAYMENT, paymentId, INVOICE, 0, 1);
  return link ? String(link.to_id) : null;
}

/** Time (ms) that a control call waits for a sale that was just sent and may still be in transit. */
const ARRIVAL_MS = 1000;

const TouchBody = z.union([
  z.strictObject({
    do: z.literal('tap'),
    card: z
      .string()
      .regex(/^\d{13,19}$/)
      .optional(),
  }),
  z.strictObject({ do: z.enum(['decline', 'cancel', 'offline', 'online', 'cut']) }),
  /** Closes the terminal's batch, as its settings may do automatically. */
  z.strictObject({ do: z.literal('close-batch') }),
]);
const AchActionBody = z.union([
  z.strictObject({ do: z.literal('settle') }),
  z.strictObject({
    do: z.literal('return'),
    code: z
      .string()
      .regex(/^R\d\d$/)
      .default('R01'),
  }),
]);
const ResendBody = z.strictObject({
  order_ids: z.array(z.string()).max(5000).optional(),
  times: z.number().int().min(1).max(100).default(1),
});

/** `invoice` also finds invoice values with a counter: INV-1042 finds INV-1042-0 and its refund INV-1042-0-r1. */
function describeCharges(world: World, invoice: string | undefined, orderId: string | undefined) {
  const conditions: [string, ...string[]][] = [['1 = 1']];
  if (orderId) conditions.push(['order_id = ?', orderId]);
  if (invoice)
    conditions.push([
      "(invoice = ? OR (substr(invoice, 1, length(?) + 1) = ? || '-' AND substr(invoice, length(?) + 2) NOT GLOB '*[^-r0-9]*'))",
      invoice,
      invoice,
      invoice,
      invoice,
    ]);
  const rows = findTransactions(
    world,
    `${conditions.map(([sql]) => sql).join(' AND ')} ORDER BY seq`,
    ...conditions.flatMap(([, ...values]) => values),
  );
  return rows.map((row) => ({
    id: idOf(row.seq),
    type: row.type,
    result: row.result,
    amount: decimalFromCents(row.amount_cents),
    order_id: row.order_id,
    invoice: row.invoice,
    terminal_id: row.terminal_id,
    batch_id: row.batch_id === null ? null : String(row.batch_id),
    at: new Date(row.created_ms).toISOString(),
  }));
}

function describeTerminal(world: World, sales: TerminalSales, terminalId: string) {
  const terminal = findTerminal(world, terminalId);
  if (!terminal) throw new InvalidControlCall(`there is no terminal ${terminalId}`);
  const sale = sales.findPendingSale(terminalId);
  return {
    terminal_id: terminalId,
    name: terminal.name,
    online: terminal.online === 1,
    waiting: sale && {
      amount: sale.input.amount,
      order_id: sale.input['order-id'],
      invoice: sale.input.invoice,
      since: new Date(sale.started_ms).toISOString(),
    },
  };
}

/** Control calls for the gateway's terminals, clock and webhooks, for people, tests and benchmarks. */
export function controlGatewayRoutes(
  world: World,
  announcements: WebhookAnnouncer,
  terminalSales: TerminalSales,
): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.onError(answerInvalidControlCall);

  app.get('/_sandbox/charges', (c) => c.json(describeCharges(world, c.req.query('invoice'), c.req.query('order_id'))));

  app.get('/_sandbox/terminals/:id', (c) => c.json(describeTerminal(world, terminalSales, c.req.param('id'))));
  app.post('/_sandbox/terminals/:id', async (c) => {
    const id = c.req.param('id');
    const action = await readBody(c, TouchBody);
    describeTerminal(world, terminalSales, id);
    if (action.do === 'close-batch') {
      if (!closeBatch(world, id)) return c.json({ error: 'this terminal has no open batch' }, 409);
    } else if (!(await terminalSales.performAction(id, action, ARRIVAL_MS)))
      return c.json({ error: 'this terminal waits for no card' }, 409);
    return c.json(describeTerminal(world, terminalSales, id));
  });

  app.post('/_sandbox/ach/:id', async (c) => {
    const achAction = await readBody(c, AchActionBody);
    const [row] = findTransactions(world, "seq = ? AND kind = 'ach' AND result = 'APPROVED'", seqOf(c.req.param('id')));
    if (!row) throw new InvalidControlCall('there is no accepted bank debit with this id');
    announcements.statusChanges(
      achAction.do === 'settle'
        ? changeAchStatus(world, row, 'Settled', world.now())
        : changeAchStatus(world, row, 'Returned', world.now(), achAction.code),
    );
    return c.json({ id: idOf(row.seq), status: debitStatus(world, row).status });
  });

  app.get('/_sandbox/webhooks/:transaction', (c) =>
    c.json(sentWebhooks(world, 'transactions', c.req.param('transaction'))),
  );
  app.post('/_sandbox/webhooks', async (c) => {
    const { order_ids, times } = await readBody(c, ResendBody);
    const rows = findTransactions(
      world,
      'order_id IN (SELECT value FROM json_each(?)) OR ? IS NULL ORDER BY seq',
      JSON.stringify(order_ids ?? []),
      order_ids ? 1 : null,
    );
    return c.json({ sent: await announcements.resend(rows, times) });
  });

  app.post('/_sandbox/clock', async (c) => {
    world.addSeconds((await readBody(c, z.strictObject({ add_s: z.number() }))).add_s);
    announcements.statusChanges(...advanceDebits(world));
    await terminalSales.expireDue();
    return c.json({ now: new Date(world.now()).toISOString() });
  });
  return app;
}
