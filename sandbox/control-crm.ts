import { Hono } from 'hono';
import { hubs } from './credentials.ts';
import { INVOICE, PAYMENT } from './crm/object-types.ts';
import { findRecord, linksOf, listRecords, type Properties } from './crm/records.ts';
import { refuseForeignPages } from './loopback.ts';
import type { SandboxEnv, World } from './world.ts';

/** What the CRM holds of payments, for people and tests: without the lag of links that its own answers have. */
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

/** An account's own number, or its place in the list. */
const hubIdOf = (name: string): number =>
  hubs.find(({ hubId }, index) => String(hubId) === name || String(index + 1) === name)?.hubId ?? 0;

function linkedInvoice(world: World, hubId: number, paymentId: number): string | null {
  const [link] = linksOf(world, hubId, PAYMENT, paymentId, INVOICE, 0, 1);
  return link ? String(link.to_id) : null;
}
