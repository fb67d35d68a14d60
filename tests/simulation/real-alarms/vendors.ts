import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crmApp, mailApiKey } from '#sandbox/credentials';
import { createCrmOfDay } from '#tests/simulation/day/crm';
import { gatewaysOfDay } from '#tests/simulation/day/gateways';
import { createMail } from '#tests/simulation/mail/mail';
import type { VendorStep, VendorWorld, WireAnswer } from '#tests/simulation/vendor';

export type Vendors = Awaited<ReturnType<typeof serveVendors>>;

/** The vendors of the simulated day in real time over real HTTP, for any number of clinics. */
export async function serveVendors() {
  let answersLostUntil = 0;
  const world: VendorWorld = {
    now: Date.now,
    random: Math.random,
    // No webhooks are sent, so only the alarms find the results.
    send: () => undefined,
    later: (afterMs, _label, run) => void setTimeout(run, afterMs).unref(),
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const model = url.pathname.startsWith('/rest/') ? gateways : url.pathname === '/emails' ? mail : crm;
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const wireRequest = { method: request.method ?? 'GET', url, headers, body: await bodyOf(request) };
    const { status, headers: answerHeaders, body } = await answerOf(model.receive(wireRequest));
    // If the response is lost, the request still took effect.
    if (model === gateways && Date.now() < answersLostUntil) response.destroy();
    else response.writeHead(status, answerHeaders).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const crm = createCrmOfDay(world, { baseUrl: url, ...crmApp });
  const gateways = gatewaysOfDay(world, 'none');
  const mail = createMail(world, { baseUrl: url, apiKey: mailApiKey });
  return {
    url,
    crm,
    gateways,
    mail,
    /** Drops the gateway's responses for `ms`. */
    loseAnswers(ms: number) {
      answersLostUntil = Date.now() + ms;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

async function answerOf(step: WireAnswer | VendorStep): Promise<WireAnswer> {
  if (!('run' in step)) return step;
  await new Promise((resolve) => setTimeout(resolve, step.afterMs));
  return answerOf(step.run());
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
