import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { testSettings } from '#tests/support/unit/settings';
import { readEnv } from '#worker/env';
import { sendTestAlert } from './send-test-alert.ts';

const AT = Date.UTC(2026, 2, 4, 15);
const requests: { path: string; body: Record<string, unknown> }[] = [];
beforeEach(() => void requests.splice(0));

/** A mail service and a webhook receiver in one server; /away redirects to another path. */
async function receiver(): Promise<string> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    requests.push({ path: request.url ?? '', body: JSON.parse(text) as Record<string, unknown> });
    const isAway = request.url === '/away';
    response.writeHead(isAway ? 302 : 200, { 'content-type': 'application/json', location: '/hook' });
    response.end('{"id":"1"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const send = async (settings: Record<string, string>) => {
  const findings = await sendTestAlert(readEnv({ ...testSettings('http://127.0.0.1:9'), ...settings }), AT);
  return findings.map(({ state }) => state);
};

describe('a test alert', () => {
  it('is sent once by mail and once by webhook, in the format of a real alert', async () => {
    const at = await receiver();
    const settings = { MAIL_API_BASE: at, ALERT_MAIL_TO: 'dana@operator.example', ALERT_WEBHOOK_URL: `${at}/hook` };
    expect(await send(settings)).toEqual(['ok', 'ok']);
    expect(requests.map(({ path }) => path).sort()).toEqual(['/emails', '/hook']);
    expect(requests.find(({ path }) => path === '/hook')?.body).toEqual({
      text: 'This is a test of the alerts. Nothing is wrong.',
      event: 'test',
      key: 'test',
      n: 1,
      first_at: '2026-03-04T15:00:00.000Z',
      url: 'http://localhost:8787/operator',
    });
  });

  it('is reported as missing without an address and as wrong when delivery fails', async () => {
    expect(await send({})).toEqual(['missing', 'missing']);
    const nowhere = { ALERT_MAIL_TO: 'dana@operator.example', ALERT_WEBHOOK_URL: 'http://127.0.0.1:9/hook' };
    expect(await send(nowhere)).toEqual(['wrong', 'wrong']);
  });

  it('follows no redirect', async () => {
    const at = await receiver();
    expect(await send({ ALERT_WEBHOOK_URL: `${at}/away` })).toEqual(['missing', 'wrong']);
    expect(requests.map(({ path }) => path)).toEqual(['/away']);
  });
});
