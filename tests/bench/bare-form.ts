import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PayView } from '#shared/contracts/payment';

const FIELDS = ['First Name', 'Last Name', 'Address', 'Address2', 'City', 'State', 'Zip', 'Signature'];
const fields = FIELDS.map((label) => `<p><label>${label} <input name="${label}"></label>`).join('\n');

/** A minimal page with the same fields: no styles and no scripts of its own. */
const form = (frame = '') => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<title>Pay</title>
<h1>Amount due $184.00</h1>
<form>${frame}
${fields}
<p><button>Pay $184.00</button>
</form></html>`;

const frameOf = ({ scriptUrl, baseUrl, publicKey: pk }: PayView['sdk']) => `
<div id="payment-form"></div>
<script src="${scriptUrl}"></script>
<script>ClearentSDK.init(${JSON.stringify({ baseUrl, pk, enableAch: true })})</script>`;

/** Reads the provider's SDK settings from the pay page at this address. */
export async function sdkOf(address: string): Promise<PayView['sdk']> {
  const html = await (await fetch(address)).text();
  const [, view = '{}'] = /id="pay-view"[^>]*>([^<]*)</.exec(html) ?? [];
  return (JSON.parse(view) as PayView).sdk;
}

/** Serves the bare form, alone and with the provider's frame in it. */
export async function serveBareForm(sdk: PayView['sdk']) {
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(url === '/frame' ? form(frameOf(sdk)) : form());
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { plain: `${origin}/`, withFrame: `${origin}/frame`, close: () => server.close() };
}
