import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { decimalFromCents } from '#shared/money';
import { boarding } from '../credentials.ts';
import { storeMail } from '../mail/api.ts';
import type { SandboxEnv, World } from '../world.ts';
import { type Application, addApplication, applicationUrl } from './applications.ts';

/** The vendor's documents show both spellings of the code. The other fields prefill the form and are not checked. */
const Applicant = z.object({
  merchantInformation: z.object({ dbaName: z.string().trim().min(1).max(100), emailAddress: z.email() }),
  salesProfile: z
    .object({ mccCode: z.string().optional(), MccCode: z.string().optional() })
    .transform(({ mccCode, MccCode }) => ({ mccCode: mccCode ?? MccCode ?? '' }))
    .pipe(z.object({ mccCode: z.string().regex(/^\d{4}$/) })),
});

/** The error body of the vendor's web framework for invalid fields. */
function problem(c: Context<SandboxEnv>, errors: Record<string, string[]>) {
  const body = {
    type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
    title: 'One or more validation errors occurred.',
    status: 400,
    errors,
    traceId: crypto.randomUUID(),
  };
  return c.json(body, 400, { 'content-type': 'application/problem+json' });
}

async function readJson(c: Context<SandboxEnv>): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text());
  } catch {
    return undefined;
  }
}

function mailLink(world: World, application: Application) {
  const url = applicationUrl(world, application);
  storeMail(world, {
    from: 'Clearent Onboarding <onboarding@clearent.example>',
    to: [application.email],
    subject: 'Complete your merchant application',
    text: `Hello,\n\nyour application for ${application.dba_name} is ready to be completed and signed:\n\n${url}\n\nMerchant number: ${application.merchant_number}\n`,
    html: String(
      html`<p>Hello,</p><p>your application for ${application.dba_name} is ready to be completed and signed:</p><p><a href="${url}">Complete the application</a></p><p>Merchant number: ${application.merchant_number}</p>`,
    ),
  });
}

/** The product opens an application, and the merchant continues it at the address in the response. */
export function integrateMerchantRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  // [documented] A partner's key opens an application by name, address and kind of business.
  // [guessed] The texts of the responses to a wrong key, a wrong node and an invalid body are ours.
  app.post('/api/launchIntegratorSetup/v1.0/integrateMerchant/:hierarchyNodeKey', async (c) => {
    if (c.req.header('accesskey') !== boarding.accessKey)
      return c.json({ statusCode: 401, message: 'Access denied due to missing or invalid access key.' }, 401);
    if (c.req.param('hierarchyNodeKey') !== boarding.hierarchyNodeKey)
      return c.json({ statusCode: 403, message: 'The access key has no rights on this hierarchy node.' }, 403);
    const body = await readJson(c);
    if (body === undefined) return problem(c, { $: ['The body is not valid JSON.'] });
    const parsed = Applicant.safeParse(body);
    if (!parsed.success) {
      const errors: Record<string, string[]> = {};
      for (const { path } of parsed.error.issues) {
        const field = path.join('.') || '$';
        errors[field] = [`The ${field} field is missing or not valid.`];
      }
      return problem(c, errors);
    }
    const { merchantInformation, salesProfile } = parsed.data;
    const application = world.store.transaction(() => {
      const created = addApplication(world, {
        dba_name: merchantInformation.dbaName,
        email: merchantInformation.emailAddress,
        mcc_code: salesProfile.mccCode,
      });
      mailLink(world, created);
      return created;
    });
    return c.json(
      {
        metadata: { timestamp: new Date(world.now()).toISOString() },
        merchant: { merchantInformation: { merchantNumber: application.merchant_number } },
        applicationURL: applicationUrl(world, application),
      },
      201,
    );
  });
  return app;
}

type ClosedBatch = { id: number; terminal_id: string; settled_ms: number; net_cents: number };

const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
/** The fee is 2.6 percent and is taken before the payout. */
const feeOf = (cents: number) => Math.round((Math.max(0, cents) * 26) / 1000);

/** The provider's report of payouts to a merchant. */
export function closedBatchRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  // [documented] The address, parameters and fields are those of the OpenAPI description of the reporting service.
  app.get('/data/api/v1/standard/merchantClosedBatches', (c) => {
    if (c.req.header('accesskey') !== boarding.accessKey) return c.json({ message: 'Access denied.' }, 401);
    const { merchantNumber = '', expectedFundedDate = '', pageNumber = '1', pageSize = '100' } = c.req.query();
    const size = Math.min(500, Math.max(1, Number(pageSize)));
    const closedBatches = world.store.all<ClosedBatch>(
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
    const rows = closedBatches
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
