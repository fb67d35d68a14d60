import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bearer, consent, Jar } from '#tests/support/consent';
import { logInWriter } from '#tests/support/content/writer';
import { until, useProduct } from '#tests/support/product/product';
import { listenTo, parseLog } from '#tests/support/product/product-log';
import { payerAddress } from './answers.ts';
import { logIn } from './merchant.ts';

const product = useProduct();
const { appUrl } = product;

const settings = (): Record<string, string> => {
  const file = path.join(product.state, 'site/server/wrangler.local.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { vars: Record<string, string> }).vars;
};

/** Sends a request and reads the whole response. */
async function ask(method: string, to: string, headers: Record<string, string> = {}, body?: unknown) {
  const response = await fetch(new URL(to, appUrl), {
    method,
    redirect: 'manual',
    headers: { ...payerAddress(), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers, response };
}

describe('the log', () => {
  it('contains each request’s route and no capability from an address, header or body', async () => {
    const log = listenTo(product);
    const secrets: Record<string, string> = {};
    const statuses: Record<string, number> = {};
    const visit = async (step: string, ...[method, to, headers, body]: Parameters<typeof ask>) => {
      const answer = await ask(method, to, headers, body);
      statuses[step] = answer.status;
      return answer;
    };

    // A payer.
    const link = await product.makeLink();
    secrets['pay id'] = link.payId;
    await visit('pay page', 'GET', `/make/payment/${link.payId}`);
    await visit('invoice', 'GET', `/api/invoices/${link.payId}`);
    const form = await product.form();
    secrets['card token'] = (form.paymentDetails as { jwt: string }).jwt;
    const paid = await visit('pay', 'POST', `/api/invoices/takePaymentSDK/${link.payId}`, {}, form);
    await visit('payment', 'GET', `/api/invoices/${link.payId}/payment`);
    const { receiptUrl } = JSON.parse(paid.text) as { receiptUrl: string };
    secrets['receipt id'] = receiptUrl.split('/').at(-1) ?? '';
    await visit('receipt', 'GET', receiptUrl);
    await visit('signature', 'GET', `${receiptUrl}/signature.png`);
    await visit('grown address', 'GET', `/make/payment/${link.payId}/more`);

    // A login with its code and state, and all tokens of a session.
    const jar = new Jar();
    const start = await visit('start', 'GET', '/oauth/start');
    jar.take(start.response);
    const callback = await consent(new URL(start.headers.get('location') ?? ''), 0);
    secrets.code = callback.searchParams.get('code') ?? '';
    secrets.state = callback.searchParams.get('state') ?? '';
    jar.take((await visit('login', 'GET', `${callback.pathname}${callback.search}`, jar.header)).response);
    for (const [name, value] of jar.cookies) secrets[`cookie ${name}`] = value;
    const token = jar.cookies.get('authToken') ?? '';
    await visit('session', 'GET', `/api/token/status/${token}`);
    await visit('renewal', 'GET', '/api/refresh-access-token', jar.header);
    await visit('list', 'GET', '/api/invoices?page=1', bearer(token));
    await visit('app', 'GET', '/invoices', jar.header);
    const createdLink = await visit(
      'link',
      'POST',
      `/api/invoices/${(await product.makeInvoice()).invoiceId}/link`,
      bearer(token),
    );
    secrets['given pay id'] = (JSON.parse(createdLink.text) as { id: string }).id;
    secrets.ticket = 'ticket-that-nobody-made-0123';
    await visit('ticket', 'GET', `/?authToken=${secrets.ticket}`);
    // Ends only this session; the shared rate limits and other tests' data stay.
    await visit('log-out', 'GET', '/logout', jar.header);

    // Secrets that other services send to us.
    const {
      BOARDING_WEBHOOK_SECRET = '',
      TRANSACTION_WEBHOOK_SECRET = '',
      BUILD_SECRET = '',
      MONITOR_SECRET = '',
      OWNER_SETUP_CODE = '',
    } = settings();
    Object.assign(secrets, { BOARDING_WEBHOOK_SECRET, TRANSACTION_WEBHOOK_SECRET, BUILD_SECRET, OWNER_SETUP_CODE });
    secrets['monitor’s secret'] = MONITOR_SECRET;
    await visit('boarding', 'POST', `/api/webhooks/boarding/${BOARDING_WEBHOOK_SECRET}`, {}, { x: 1 });
    await visit('transaction', 'POST', `/api/webhooks/transactions/${TRANSACTION_WEBHOOK_SECRET}`, {}, { x: 1 });
    await visit('build', 'POST', '/api/internal/builds/latest', bearer(BUILD_SECRET), { x: 1 });
    await visit('monitor', 'GET', '/api/monitor', bearer(MONITOR_SECRET));
    await visit(
      'report',
      'POST',
      '/api/csp-report',
      {},
      {
        'csp-report': { 'effective-directive': 'img-src', 'blocked-uri': `${appUrl}/make/payment/${link.payId}` },
      },
    );

    // Writers.
    const writer = await logInWriter(appUrl, product.output);
    secrets['writer’s token'] = writer.token;
    const email = `${crypto.randomUUID().slice(0, 8)}@clinic.example`;
    await visit('invite', 'POST', '/api/cms/users/invitations', bearer(writer.token), { email, role: 'editor' });
    const [mail] = await until(
      () => product.mailTo(email),
      (mails) => mails.length > 0,
    );
    secrets.invitation = /#invitation=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    await visit('invitation', 'POST', '/api/auth/invitation', {}, { invitation: secrets.invitation });
    const post = await writer.writePost({ title: `Log ${email}`, status: 'DRAFT' });
    const preview = await visit('make preview', 'POST', `/api/cms/posts/${post.id}/preview`, bearer(writer.token));
    secrets.preview = /preview\/([^"]+)/.exec(preview.text)?.[1] ?? '';
    await visit('preview', 'GET', `/preview/${secrets.preview}`);
    await writer.call('DELETE', `posts/${post.id}`);

    for (const [step, status] of Object.entries(statuses))
      expect(status, step).toBeLessThan(
        step === 'boarding' || step === 'build' || step === 'grown address' ? 500 : 400,
      );
    for (const [step, secret] of Object.entries(secrets)) expect(secret.length, step).toBeGreaterThan(15);

    const lines = await log.lines();
    const leaked = Object.entries(secrets).filter(([, secret]) => lines.some((line) => line.includes(secret)));
    expect(leaked.map(([step]) => step)).toEqual([]);
    expect(lines.filter((line) => line.includes('"level":"alert"'))).toEqual([]);
    const routes = new Set(parseLog(lines).map(({ route }) => route));
    for (const route of [
      ...['/make/payment/:payId', '/api/invoices/:payId', '/api/invoices/takePaymentSDK/:payId', '/receipt/:receiptId'],
      ...['/receipt/:receiptId/signature.png', '/oauth', '/api/token/status/:authToken', '/api/refresh-access-token'],
      ...[
        '/api/invoices',
        '/api/invoices/:id/link',
        '/api/webhooks/boarding/:secret',
        '/api/csp-report',
        '/preview/:token',
      ],
      ...['/api/webhooks/transactions/:secret', '/api/internal/builds/:build', '/api/auth/invitation', '/logout'],
      '/api/monitor',
    ])
      expect(routes, route).toContain(route);
  });

  it('contains no alert after clients hang up while sending', async () => {
    const { hostname, port, host } = new URL(appUrl);
    const { token } = await logIn(appUrl, 0);
    const hangUp = (to: string) =>
      new Promise<void>((resolve, reject) => {
        const socket = net.connect(Number(port), hostname, () =>
          socket.write(
            `POST ${to} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"x":`,
            () => socket.destroy(),
          ),
        );
        socket.on('error', reject);
        socket.on('close', () => resolve());
      });
    const paths = ['/api/invoices/takePaymentSDK/x', '/api/csp-report', '/api/webhooks/boarding/x', '/api/auth/login'];
    // Alone, since alerts from the clinics' own alarms do not come from these clients.
    const lines = await product.withAlarmsHeld(async () => {
      const log = listenTo(product);
      for (let n = 0; n < 75; n++) await hangUp(paths[n % paths.length] ?? '');
      return log.lines();
    });
    expect(lines.filter((line) => line.includes('"level":"alert"'))).toEqual([]);
  });
});
