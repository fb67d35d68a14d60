import { afterEach, describe, expect, it } from 'vitest';
import { clearFaults, control, onlineTerminal, sandboxUrl } from '#tests/support/wire';
import { createClearent } from './clearent.ts';

const createGateway = (apiKey: string) =>
  createClearent({
    baseUrl: sandboxUrl(),
    sandbox: true,
    timeoutMs: 5000,
    terminalTimeoutMs: 5000,
    openApiKey: async () => apiKey,
  });
const terminal = { accountId: 1, terminalId: '70143', sealedApiKey: 'sealed' };
const DOMAINS_PATH = '/rest/v2/apple/merchants/domains';
const newHost = () => `pay-${crypto.randomUUID().slice(0, 8)}.example`;
const register = (host: string, apiKey = onlineTerminal().apiKey) =>
  createGateway(apiKey).registerForApplePay(terminal, host);

afterEach(async () => {
  await clearFaults();
  await control('settings', { apple_domains: 'enabled' });
});

describe('registration of a host for Apple Pay', () => {
  it('is confirmed by the list of the merchant, even when it is repeated', async () => {
    const host = newHost();
    expect(await register(host)).toEqual({ kind: 'registered' });
    expect(await register(host)).toEqual({ kind: 'registered' });
  });

  it('is not complete while the host is not enabled', async () => {
    await control('settings', { apple_domains: 'pending' });
    expect(await register(newHost())).toEqual({ kind: 'refused', message: 'the domain is not enabled yet' });
  });

  it('reports the reason for a refusal, and a refused key', async () => {
    await control('settings', { apple_domains: 'refused' });
    expect(await register(newHost())).toEqual({ kind: 'refused', message: 'Apple could not verify the domain' });
    expect(await register(newHost(), 'f'.repeat(32))).toEqual({ kind: 'refused', message: 'UNAUTHORIZED' });
  });

  it('is complete if only the response to the request was lost, and unavailable without any response', async () => {
    await control('faults', { on: DOMAINS_PATH, do: 'drop-after' });
    expect(await register(newHost())).toEqual({ kind: 'registered' });
    await control('faults', { on: DOMAINS_PATH, do: 'drop-before', times: 2 });
    expect(await register(newHost())).toEqual({ kind: 'unavailable' });
  });
});
