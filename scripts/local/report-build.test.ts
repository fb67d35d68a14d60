import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { reportLocalBuild } from './report-build.ts';

/** A product that responds with these statuses in turn and drops the connection for a 0. */
async function product(...statuses: number[]) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.authorization}`);
    const status = statuses.shift() ?? 204;
    if (status === 0) request.socket.destroy();
    else response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const to = { appUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, buildSecret: 's' };
  return { to, requests };
}

test('resends the final report of a build until it is accepted', async () => {
  const { to, requests } = await product(0, 502, 204);
  await reportLocalBuild(to, 'b/1', { state: 'built', revision: 3 }, 0);
  expect(requests).toEqual(Array(3).fill('/api/internal/builds/b%2F1 Bearer s'));
});

test('does not resend a refused report or a progress report', async () => {
  const refusing = await product(409);
  await reportLocalBuild(refusing.to, 'latest', { state: 'failed', reason: 'x' }, 0);
  expect(refusing.requests).toHaveLength(1);
  const silent = await product(0);
  await reportLocalBuild(silent.to, 'latest', { state: 'building', progress: 5, step: 'x' }, 0);
  expect(silent.requests).toHaveLength(1);
});

test('gives up when the product is unreachable, so that the build can end', async () => {
  await reportLocalBuild(
    { appUrl: 'http://127.0.0.1:9', buildSecret: 's' },
    'latest',
    { state: 'built', revision: 1 },
    0,
  );
});
