import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { revokeLinkNow } from '#tests/support/revoke-link';
import type { RouteAccess } from '#worker/security/route-access';
import { ask, askRaw, expectError, expectPrivate, expectRefused, noBearers, payerAddress } from './answers.ts';
import { expectNoMoney, sql } from './expect-money.ts';
import { callsOf } from './routes.ts';

const product = useProduct();
const { appUrl } = product;

const post = (path: string, body = '{}', headers: Record<string, string> = {}) =>
  ask(appUrl, path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
const pay = async (payId: string, headers: Record<string, string> = {}) =>
  post(`/api/invoices/takePaymentSDK/${payId}`, JSON.stringify(await product.form()), {
    ...payerAddress(),
    ...headers,
  });
const NOT_FOUND = 'No invoice found';
const EXPIRED = 'This payment link has expired. Please ask for a new one.';

describe('an address that names no invoice', () => {
  it.each([
    ['a random id', 'aaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['300 letters', 'x'.repeat(300)],
    ['a NUL', '%00'],
    ['a NUL inside', 'abc%00def'],
    ['an encoded slash', 'a%2fb'],
    ['a truncated escape', '%zz'],
    ['bytes that are not UTF-8', '%ff%fe'],
    ['SQL', "'%20OR%201=1--"],
    ['a percent sign for any text', '%25'],
  ])('is not found: %s', async (_label, id) => {
    expectError(await ask(appUrl, `/api/invoices/${id}`), 404, NOT_FOUND);
    expectError(await ask(appUrl, `/api/invoices/${id}/payment`), 404, NOT_FOUND);
    expectRefused(await pay(id), 404, NOT_FOUND);
    const page = await ask(appUrl, `/make/payment/${id}`);
    expect(page.status).toBe(404);
    expectPrivate(page);
    expect(page.text).toContain(NOT_FOUND);
    expect(page.text).not.toContain('pay-view');
  });

  it('is not found when it climbs out of its path', async () => {
    for (const id of ['%2e%2e', '..', '%2e%2e%2f%2e%2e', '..%5c..']) {
      const answer = await ask(appUrl, `/api/invoices/${id}`);
      expectError(answer, 404);
      expect((await ask(appUrl, `/make/payment/${id}`)).status).toBe(404);
    }
  });

  it('is not found on the payer’s page with extra or missing parts after /make/payment', async () => {
    const link = await product.makeLink();
    for (const suffix of ['', '/', `/${link.payId}/x`, `/${link.payId}/`, '/x/y/z', '/shell/x']) {
      const page = await ask(appUrl, `/make/payment${suffix}`);
      expect(page.status, suffix).toBe(404);
      expectPrivate(page);
      expect(page.text, suffix).toContain(NOT_FOUND);
      expect(page.text, suffix).not.toContain(link.number);
    }
    expectError(await ask(appUrl, '/make/payment/x/y', { method: 'POST' }), 405, 'This action is not available.');
  });

  it('reveals nothing about CRM ids: real and made-up ones get the same bytes', async () => {
    const { invoiceId, number } = await product.makeInvoice();
    const linked = await product.makeLink();
    const madeUp = await ask(appUrl, '/api/invoices/99999999999999');
    for (const id of [invoiceId, linked.invoiceId]) {
      const real = await ask(appUrl, `/api/invoices/${id}`);
      expectError(real, 404, NOT_FOUND);
      expect(real.text).toBe(madeUp.text);
      expectRefused(await pay(id), 404, NOT_FOUND);
      const page = await ask(appUrl, `/make/payment/${id}`);
      expect(page.status).toBe(404);
      expect(page.text).not.toContain(linked.number);
      expect(page.text).not.toContain(number);
    }
    await expectNoMoney(product, linked);
  });
});

describe('a link that has ended', () => {
  it('returns 410 once it was revoked, and the new one works', async () => {
    const old = await product.makeLink();
    const { hubId: accountId } = product.account;
    const newLink = await revokeLinkNow(product.deps(), accountId, old.invoiceId);
    expectError(await ask(appUrl, `/api/invoices/${old.payId}`), 410, EXPIRED);
    expectRefused(await pay(old.payId), 410, EXPIRED);
    const page = await ask(appUrl, `/make/payment/${old.payId}`);
    expect(page.status).toBe(410);
    expectPrivate(page);
    expect(page.text).not.toContain(old.number);
    await expectNoMoney(product, old);
    expect((await ask(appUrl, `/api/invoices/${newLink?.payId}`)).status).toBe(200);
    expect((await pay(newLink?.payId ?? '')).status).toBe(200);
  });

  it('returns 410 once it has expired', async () => {
    const old = await product.makeLink();
    await sql(product, 'UPDATE pay_links SET ends_at = ? WHERE pay_id = ?', Date.now() - 1, old.payId);
    expectError(await ask(appUrl, `/api/invoices/${old.payId}`), 410, EXPIRED);
    expectRefused(await pay(old.payId), 410, EXPIRED);
    expect((await ask(appUrl, `/make/payment/${old.payId}`)).status).toBe(410);
    await expectNoMoney(product, old);
  });
});

describe('an unknown route or method', () => {
  it('returns 405 and lists the allowed methods for every other method', async () => {
    const link = await product.makeLink();
    const routes: [string, string, string[]][] = [
      [`/api/invoices/${link.payId}`, 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS', 'PROPFIND']],
      [`/api/invoices/${link.payId}/payment`, 'GET, HEAD', ['POST', 'PATCH', 'TRACE']],
      [`/api/invoices/takePaymentSDK/${link.payId}`, 'POST', ['GET', 'PUT', 'PATCH', 'DELETE', 'TRACE']],
      [`/make/payment/${link.payId}`, 'GET, HEAD', ['POST', 'PATCH', 'TRACE']],
      ['/receipt/nothing', 'GET, HEAD', ['POST', 'DELETE', 'TRACE']],
      ['/api/invoices', 'GET, HEAD', ['POST', 'PATCH']],
      ['/api/terminals/1/batches/close', 'PUT', ['GET', 'POST', 'TRACE']],
    ];
    for (const [path, allowed, methods] of routes) {
      for (const method of methods) {
        const answer = await ask(appUrl, path, { method });
        expectError(answer, 405, 'This action is not available.');
        expect(answer.headers.get('allow'), `${method} ${path}`).toBe(allowed);
      }
    }
    await expectNoMoney(product, link);
  });

  it('returns 404 in JSON under /api for any method', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/nowhere',
      '/api/invoices/takePaymentSDK',
      '/api/v2/charge',
      '/api/../api/x',
    ]) {
      for (const method of ['GET', 'POST', 'PATCH']) {
        const answer = await ask(appUrl, path, { method });
        expect([401, 404, 405], `${method} ${path}`).toContain(answer.status);
        expectError(answer, answer.status);
      }
    }
    expectError(await ask(appUrl, '/api/nowhere'), 404, 'Not found.');
  });

  it('gets an answer every time, even with an oversized body', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const [size, status] of [
      [5000, 401],
      [700_000, 413],
    ] as const) {
      const body = `{"x":"${'x'.repeat(size)}"}`;
      for (let n = 0; n < 10; n++) {
        for (const payload of [body, [body.slice(0, 2000), body.slice(2000)]]) {
          expectError(
            await ask(appUrl, '/api/invoices/sendPaymentLink/1', { method: 'POST', headers, body: payload }),
            status,
          );
          expectError(await ask(appUrl, '/api/nowhere', { method: 'POST', headers, body: payload }), 404);
        }
      }
    }
  });

  it('is not reached through a header that names another method or path', async () => {
    const link = await product.makeLink();
    const answer = await ask(appUrl, `/api/invoices/${link.payId}`, {
      headers: {
        'x-http-method-override': 'DELETE',
        'x-original-url': '/api/nowhere',
        'x-rewrite-url': '/api/nowhere',
      },
    });
    expect(answer.status).toBe(200);
  });
});

describe('a request with forged or conflicting headers', () => {
  it('returns 421 for a foreign host before anything is looked up', async () => {
    const link = await product.makeLink();
    for (const path of ['/', '/api/nowhere', `/api/invoices/${link.payId}`, `/make/payment/${link.payId}`]) {
      const answer = await ask(appUrl, path, { headers: { host: 'evil.example' } });
      expectError(answer, 421);
      expect(answer.text).not.toContain('evil');
    }
    const paid = await pay(link.payId, { host: 'evil.example' });
    expect(paid.status).toBe(421);
    await expectNoMoney(product, link);
  });

  it('ignores a foreign host in a forwarding header and repeats it in no page or header', async () => {
    const link = await product.makeLink();
    const headers = {
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example;proto=https',
      'x-host': 'evil.example',
    };
    const page = await ask(appUrl, `/make/payment/${link.payId}`, { headers });
    const paid = await pay(link.payId, headers);
    expect([page.status, paid.status]).toEqual([200, 200]);
    for (const { text, headers: answerHeaders } of [page, paid]) {
      expect(text + JSON.stringify([...answerHeaders])).not.toContain('evil');
    }
  });

  it('is rejected by the server with both a length and chunked encoding', async () => {
    const link = await product.makeLink();
    const body = JSON.stringify(await product.form());
    const line = await askRaw(
      appUrl,
      `POST /api/invoices/takePaymentSDK/${link.payId} HTTP/1.1\r\nHost: ${new URL(appUrl).host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n${body}`,
    );
    expect(line).toMatch(/^HTTP\/1\.1 400 /);
    await expectNoMoney(product, link);
  });
});

describe('a merchant call without a session', () => {
  const tokenHolders: RouteAccess[] = ['holder of the token itself', 'holder of the refresh cookie'];
  // tokens.test.ts covers the calls of staff.
  const calls = callsOf(tokenHolders, () => 'undefined').map(({ method, path }) => [method, path] as const);
  const oddCalls = ['null', '..%2f'].map((token) => ['GET', `/api/token/status/${token}`] as const);

  it.each([...calls, ...oddCalls])('returns 401 whatever it contains: %s %s', async (method, path) => {
    const bodies = new Set<string>();
    for (const headers of noBearers) {
      const answer = await ask(appUrl, path, { method, headers });
      expectError(answer, 401, 'Please log in again.');
      bodies.add(answer.text);
    }
    expect(bodies.size).toBe(1);
  });

  it('cannot read an invoice with a made-up bearer, by pay id or by CRM id', async () => {
    const link = await product.makeLink();
    for (const id of [link.payId, link.invoiceId]) {
      for (const headers of noBearers.slice(1)) {
        const answer = await ask(appUrl, `/api/invoices/${id}`, { headers });
        expectError(answer, 401, 'Please log in again.');
        expect(answer.text).not.toContain(link.number);
      }
    }
  });
});
