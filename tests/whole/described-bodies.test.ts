import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, Jar } from '#tests/support/consent';
import { logInWriter } from '#tests/support/content/writer';
import { drawBodies, type Schema } from '#tests/support/openapi/bodies';
import { readDescription } from '#tests/support/openapi/description';
import { makeAuthenticator } from '#tests/support/operator/authenticator';
import { useProduct } from '#tests/support/product/product';
import { startProduct } from '#tests/support/product/product-process';
import { randomFrom } from '#tests/support/random';
import { logIn } from './merchant.ts';

/**
 * Sends bodies generated from openapi.json, valid and invalid ones, to every call that takes JSON, as its intended
 * caller. Uses its own product: valid bodies change settings, invite people and pause payments.
 */
const running = await startProduct();
afterAll(() => running.stop());
const product = useProduct(running);

const SEED = 20_261_126;
/** Number of bodies per call. */
const BODIES = Number(process.env.DESCRIBED_BODIES ?? (process.env.SIZE === 'full' ? 60 : 8));
const { description } = readDescription();

type Sessions = Record<string, Record<string, string>>;
let sessions: Sessions;
let ids: Record<string, string>;

/** Enrols an operator with a new passkey, which counts as a fresh proof. */
async function signInOperator(): Promise<Jar> {
  const jar = new Jar();
  const key = await makeAuthenticator(product.appUrl);
  const post = async (path: string, body: object) =>
    jar.take(
      await fetch(`${product.appUrl}/api/operator/enrolment${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...jar.header },
        body: JSON.stringify(body),
      }),
    );
  const person = { code: product.installation().settings.OPERATOR_SETUP_CODE, name: 'Olga Reyes' };
  const { options } = (await (await post('/options', person)).json()) as { options: { challenge: string } };
  expect((await post('', { ...person, credential: await key.make(options, {}) })).status).toBe(201);
  return jar;
}

beforeAll(async () => {
  const { settings } = product.installation();
  const staff = await logIn(product.appUrl, 0);
  const writer = await logInWriter(product.appUrl, product.output);
  const operator = await signInOperator();
  sessions = {
    staff: bearer(staff.token),
    writer: bearer(writer.token),
    operator: operator.header,
    '/api/operate/': bearer(settings.OPERATOR_SECRET),
    '/api/monitor': bearer(settings.MONITOR_SECRET),
    '/api/internal/': bearer(settings.BUILD_SECRET),
  };
  const link = await product.makeLink();
  const counter = await fetch(`${product.appUrl}/api/counter-terminals`, { headers: sessions.staff ?? {} });
  const { desks } = (await counter.json()) as { desks: { terminal_id: string }[] };
  ids = { payId: link.payId, invoiceId: link.invoiceId, terminalId: desks[0]?.terminal_id ?? '' };
}, 120_000);

type Security = Record<string, unknown>[];

function headersOf(path: string, security: Security): Record<string, string> {
  const [scheme = ''] = Object.keys(security[0] ?? {});
  const program = Object.keys(sessions).find((start) => start.startsWith('/') && path.startsWith(start));
  return sessions[program ?? scheme] ?? {};
}

/** Fills in existing IDs for invoices, pay links and terminals, else 1. */
const addressOf = (template: string): string =>
  template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    if (name === 'id' && template.startsWith('/api/invoices/')) return ids.invoiceId ?? '';
    return ids[name] ?? '1';
  });

/** Calls that take JSON. */
const calls = Object.entries(description.paths).flatMap(([template, operations]) =>
  Object.entries(operations).flatMap(([method, operation]) => {
    const schema = operation.requestBody?.content['application/json']?.schema as Schema | undefined;
    return schema
      ? [
          {
            template,
            method: method.toUpperCase(),
            schema,
            security: (operation as { security?: Security }).security ?? [],
          },
        ]
      : [];
  }),
);

describe('request bodies generated from openapi.json', () => {
  it(`get documented answers without a failure: ${BODIES} to each of ${calls.length} calls`, async () => {
    const random = randomFrom(SEED);
    const { drawValid, drawInvalid } = drawBodies(random, description.components.schemas as Record<string, Schema>);
    const failed: string[] = [];
    const counts = new Map<number, number>();
    const accepted = new Set<string>();
    for (const { template, method, schema, security } of calls) {
      for (let count = 0; count < BODIES; count++) {
        const body = count % 2 === 0 ? drawValid(schema) : drawInvalid(schema);
        const answer = await fetch(`${product.appUrl}${addressOf(template)}`, {
          method,
          headers: {
            'content-type': 'application/json',
            'cf-connecting-ip': `2001:db8:${random.below(65_536).toString(16)}::1`,
            ...headersOf(template, security),
          },
          body: JSON.stringify(body),
        });
        const text = await answer.text();
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
        if (answer.ok) accepted.add(`${method} ${template}`);
        if (answer.status >= 500)
          failed.push(`${answer.status} ${method} ${template} ${JSON.stringify(body).slice(0, 300)}: ${text}`);
      }
    }
    console.log(`seed ${SEED}:`, Object.fromEntries([...counts].sort(([a], [b]) => a - b)));
    console.log(`${accepted.size} of ${calls.length} calls accepted a generated body`);
    expect(failed.join('\n')).toBe('');
    // The bodies reached the handlers, and some were accepted.
    expect(calls.length).toBeGreaterThan(60);
    expect(accepted.size).toBeGreaterThan(calls.length / 5);
    for (const status of [200, 204, 422]) expect(counts.get(status), String(status)).toBeTruthy();
  }, 600_000);
});
