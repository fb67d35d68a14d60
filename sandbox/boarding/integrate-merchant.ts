import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { boarding } from '../credentials.ts';
import { keepMail } from '../mail/api.ts';
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

function mailTheLink(world: World, application: Application) {
  const url = applicationUrl(world, application);
  keepMail(world, {
    from: 'Clearent Onboarding <onboarding@clearent.example>',
    to: [application.email],
    subject: 'Complete your merchant application',
    text: `Hello,\n\nyour application for ${application.dba_name} is ready to be completed and signed:\n\n${url}\n\nMerchant number: ${application.merchant_number}\n`,
    html: String(
      html`<p>Hello,</p><p>your application for ${application.dba_name} is ready to be completed and signed:</p><p><a href="${url}">Complete the application</a></p><p>Merchant number: ${application.merchant_number}</p>`,
    ),
  });
}

/** Hosted onboarding: the product opens an application, and the merchant continues at the address in the answer. */
export function integrateMerchantRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  // [documented] A partner's key opens an application by name, address and kind of business.
  // [guessed] The words of 401, 403 and of a body that is not valid.
  app.post('/api/launchIntegratorSetup/v1.0/integrateMerchant/:hierarchyNodeKey', async (c) => {
    if (c.req.header('accesskey') !== boarding.accessKey)
      return c.json({ statusCode: 401, message: 'Access denied due to missing or invalid access key.' }, 401);
    if (c.req.param('hierarchyNodeKey') !== boarding.hierarchyNodeKey)
      return c.json({ statusCode: 403, message: 'The access key has no rights on this hierarchy node.' }, 403);
    const body = await readJson(c);
    if (body === undefined) return problem(c, { $: ['The body is not valid JSON.'] });
    const read = Applicant.safeParse(body);
    if (!read.success) {
      const errors: Record<string, string[]> = {};
      for (const { path } of read.error.issues) {
        const field = path.join('.') || '$';
        errors[field] = [`The ${field} field is missing or not valid.`];
      }
      return problem(c, errors);
    }
    const { merchantInformation, salesProfile } = read.data;
    const application = world.store.transaction(() => {
      const made = addApplication(world, {
        dba_name: merchantInformation.dbaName,
        email: merchantInformation.emailAddress,
        mcc_code: salesProfile.mccCode,
      });
      mailTheLink(world, made);
      return made;
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
