import { describe, expect, it } from 'vitest';
import { requireTestAccount } from './probe-input.ts';
import type { Place } from './talk.ts';

const placeAt = (input: Place['input'], answer = new Response('{}')): Place => ({
  base: 'https://vendor.example',
  headers: {},
  input,
  fetch: async () => answer,
});

describe('--write', () => {
  it.each([
    ['staging', 'GATEWAY_BASE_URL', 'https://gateway.clearent.net'],
    ['staging', 'BOARDING_BASE_URL', 'https://boarding.clearent.net/'],
    ['staging', 'REPORTING_BASE_URL', 'https://reporting.clearent.net'],
    ['staging', 'OTHER_BASE', 'https://boarding.clearent.net/a'],
    // A variable of the shell overrides the simulated world's address.
    ['local', 'GATEWAY_BASE_URL', 'https://gateway.clearent.net'],
  ] as const)('to %s is rejected when %s is %s', async (name, setting, address) => {
    await expect(requireTestAccount(name, 'gateway', placeAt({ [setting]: address }))).rejects.toThrow(
      `--write is for test accounts, and ${setting} is ${address}, a production address of the card provider`,
    );
  });

  it('is allowed for the card provider’s sandbox', async () => {
    const input = {
      GATEWAY_BASE_URL: 'https://gateway-sb.clearent.net',
      BOARDING_BASE_URL: 'https://boarding-sb.clearent.net',
    };
    await requireTestAccount('staging', 'gateway', placeAt(input));
  });

  const hubspot = (status: number, body: unknown) =>
    requireTestAccount('staging', 'hubspot', placeAt({}, new Response(JSON.stringify(body), { status })));

  it.each(['DEVELOPER_TEST', 'SANDBOX', 'APP_DEVELOPER'])('is allowed for a CRM account of type %s', (accountType) =>
    hubspot(200, { accountType }),
  );

  it.each([
    [200, { accountType: 'STANDARD' }, 'reports the type STANDARD'],
    [200, { accountType: 'PARTNER' }, 'reports the type PARTNER'],
    [200, { accountType: ['SANDBOX'] }, 'reports the type ["SANDBOX"]'],
    [200, {}, 'reports no type'],
    [200, 'SANDBOX', 'reports no type'],
    [401, { accountType: 'SANDBOX' }, 'answers 401 when asked for its type'],
    [404, {}, 'answers 404 when asked for its type'],
    [429, {}, 'answers 429 when asked for its type'],
  ])('is rejected when the CRM account answers %i %j', async (status, body, reply) => {
    await expect(hubspot(status, body)).rejects.toThrow(
      `--write is for test accounts of HubSpot (DEVELOPER_TEST, SANDBOX, APP_DEVELOPER), and this one ${reply}`,
    );
  });
});
