import { describe, expect, it } from 'vitest';
import { CARD, online, startSandbox } from './start.ts';

const sandbox = await startSandbox();
const { url } = sandbox;

const walletToken = async (card: string, wallet = 'APPLE_PAY'): Promise<string> => {
  const answer = await fetch(`${url}/rest/v2/mobilejwt/manual`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'public-key': online.publicKey },
    body: JSON.stringify({ card, 'exp-date': '1239', wallet }),
  });
  const { payload } = (await answer.json()) as { payload: { 'mobile-jwt': { jwt: string } } };
  return payload['mobile-jwt'].jwt;
};
let orders = 0;
const charge = async (jwt: string) => {
  orders += 1;
  const answer = await fetch(`${url}/rest/v2/mobile/transactions/sale`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-key': online.apiKey, mobilejwt: jwt },
    body: JSON.stringify({
      type: 'SALE',
      amount: '184.00',
      invoice: `wallet-${orders}`,
      'order-id': `order-${orders}`,
      'software-type': 't',
      'software-type-version': '1',
    }),
  });
  const { payload } = (await answer.json()) as { payload: { transaction?: Record<string, string> } };
  return { status: answer.status, transaction: payload.transaction };
};

describe('a wallet token', () => {
  it.each(['APPLE_PAY', 'GOOGLE_PAY'])(
    'is charged like a card token, with an address check and without a security-code check: %s',
    async (wallet) => {
      const { status, transaction } = await charge(await walletToken(CARD.approved, wallet));
      expect(status).toBe(200);
      expect(transaction).toMatchObject({ 'entry-method': 'WALLET', 'avs-result-code': 'Y' });
      expect(transaction).not.toHaveProperty('csc-result-code');
    },
  );

  it.each([
    ['spent', 400],
    ['kept', 402],
  ] as const)('is %s after a decline, by the setting', async (wallet_declines, status) => {
    await sandbox.control('settings', { wallet_declines });
    const jwt = await walletToken(CARD.declined);
    expect((await charge(jwt)).status).toBe(402);
    expect((await charge(jwt)).status).toBe(status);
  });
});

describe('the browser script', () => {
  it.each(['page', 'frame', 'off'])('opens the sheet of Apple Pay as the setting says: %s', async (apple_pay) => {
    await sandbox.control('settings', { apple_pay });
    const script = await (await fetch(`${url}/js-sdk/js/clearent-host.js`)).text();
    expect(script).toContain(`APPLE_PAY = '${apple_pay}'`);
  });
});
