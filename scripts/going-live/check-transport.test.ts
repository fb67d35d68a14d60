import { createServer as createPlain } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createServer, type SecureVersion } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkOldTls, checkPlainHttp, checkTransport } from './check-outside.ts';

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A server without a certificate: anonymous ciphers are enough to show which versions it accepts. */
const tlsServer = (minVersion: SecureVersion) =>
  portOf(
    createServer({ minVersion, maxVersion: 'TLSv1.2', ciphers: 'aNULL:@SECLEVEL=0' }).on(
      'tlsClientError',
      () => undefined,
    ),
  );

describe('checking the transport encryption of an installation', () => {
  it('rejects a server that accepts TLS 1.1 and accepts one that starts at TLS 1.2', async () => {
    const old = await checkOldTls('127.0.0.1', await tlsServer('TLSv1'));
    expect([old.state, old.detail]).toEqual(['wrong', expect.stringContaining('Minimum TLS Version')]);
    expect((await checkOldTls('127.0.0.1', await tlsServer('TLSv1.2'))).state).toBe('ok');
    expect((await checkOldTls('127.0.0.1', 9)).state).toBe('not-checked');
    // The operating system may report a failed name lookup in several ways; none of them counts as a refusal.
    expect((await checkOldTls('nowhere.invalid', 443)).state).toBe('not-checked');
  });

  it.each([
    ['a page over plain http', 200, {}, 'wrong'],
    ['a redirect to plain http', 302, { location: 'http://pay.clinic.test/terms' }, 'wrong'],
    ['a redirect to https', 301, { location: 'https://pay.clinic.test/terms' }, 'ok'],
    ['a rejected host name', 421, {}, 'ok'],
  ])('returns the expected verdict for %s', async (_label, status, headers, state) => {
    const port = await portOf(createPlain((_request, response) => response.writeHead(status, headers).end()));
    expect((await checkPlainHttp(`http://127.0.0.1:${port}`)).state).toBe(state);
  });

  it('skips an address on the local machine', async () => {
    expect((await checkTransport({ APP_URL: 'http://localhost:8787' })).map(({ state }) => state)).toEqual([
      'not-checked',
    ]);
  });
});
