import { describe, expect, it } from 'vitest';
import { mustBeATestAccount } from './given.ts';
import type { Place } from './talk.ts';

const placeAt = (given: Place['given'], answer = new Response('{}')): Place => ({
  base: 'https://vendor.example',
  headers: {},
  given,
  fetch: async () => answer,
});

describe('--write', () => {
  it.each([
    ['staging', 'GATEWAY_BASE_URL', 'https://gateway.clearent.net'],
    ['staging', 'BOARDING_BASE_URL', 'https://boarding.clearent.net/'],
    ['staging', 'REPORTING_BASE_URL', 'https://reporting.clearent.net'],
    ['staging', 'OTHER_BASE', 'https://boarding.clearent.net/a'],
    // A variable of the shell wins over the simulated world's address.
    ['local', 'GATEWAY_BASE_URL', 'https://gateway.clearent.net'],
  ] as const)('to %s is rejected when %s is %s', async (name, setting, address) => {
    await expect(mustBeATestAccount(name, 'gateway', placeAt({ [setting]: address }))).rejects.toThrow(
      `--write is for test accounts, and ${setting} is ${address}, where the card provider works in earnest`,
    );
  });

  it('is allowed for the card provider’s sandbox', async () => {
    const given = {
      GATEWAY_BASE_URL: 'https://gateway-sb.clearent.net',
      BOARDING_BASE_URL: 'https://boarding-sb.clearent.net',
    };
    await mustBeATestAccount('staging', 'gateway', placeAt(given));
  });

  const hubspot = (status: number, body: unknown) =>
    mustBeATestAccount('staging', 'hubspot', placeAt({}, new Response(JSON.stringify(body), { status })));

  it.each(['DEVELOPER_TEST', 'SANDBOX', 'APP_DEVELOPER'])('is allowed for a CRM account of type %s', (accountType) =>
    hubspot(200, { accountType }),
  );

  it.each([
    [200, { accountType: 'STANDARD' }, 'says that it is STANDARD'],
    [200, { accountType: 'PARTNER' }, 'says that it is PARTNER'],
    [200, { accountType: ['SANDBOX'] }, 'says that it is ["SANDBOX"]'],
    [200, {}, 'does not say what it is'],
    [200, 'SANDBOX', 'does not say what it is'],
    [401, { accountType: 'SANDBOX' }, 'answers 401 when asked what it is'],
    [404, {}, 'answers 404 when asked what it is'],
    [429, {}, 'answers 429 when asked what it is'],
  ])('is rejected when the CRM account answers %i %j', async (status, body, says) => {
    await expect(hubspot(status, body)).rejects.toThrow(
      `--write is for test accounts of HubSpot (DEVELOPER_TEST, SANDBOX, APP_DEVELOPER), and this one ${says}`,
    );
  });
});
