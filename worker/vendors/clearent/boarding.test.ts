import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClearentBoarding } from './boarding.ts';

const createBoarding = (linkHosts: string[] = []) =>
  createClearentBoarding({
    gatewayBase: 'https://gateway.provider.example',
    boardingBase: 'https://boarding.provider.example',
    reportingBase: '',
    linkHosts,
    accessKey: 'key',
    hierarchyNodeKey: 'node',
    mccCode: '8021',
    timeoutMs: 1000,
  });

/** Applies while the provider returns this set-up address. */
async function applyWith(address: string, linkHosts?: string[]) {
  const reply = { merchant: { merchantInformation: { merchantNumber: '6588000000000001' } }, applicationURL: address };
  vi.stubGlobal('fetch', async () => Response.json(reply, { status: 201 }));
  return createBoarding(linkHosts).createApplication({ dbaName: 'Maple Street Dental', email: 'a@maple.example' });
}

describe('the set-up page address', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each([
    ['https://boarding.provider.example/apply/1', []],
    ['https://apply.provider.example/1?b=c', []],
    ['https://forms.partner.example/1', ['partner.example']],
  ])('is accepted from the provider itself: %s', async (address, hosts) => {
    expect(await applyWith(address, hosts)).toMatchObject({ kind: 'created', signupUrl: address });
  });

  it.each([
    'javascript:alert(1)//boarding.provider.example',
    'data:text/html,<script>alert(1)</script>',
    'http://boarding.provider.example/apply/1',
    'https://evil.example/apply/1',
    'https://boarding.provider.example@evil.example/apply/1',
    'https://boarding.provider.example.evil.example/apply/1',
    'https://evilprovider.example/apply/1',
    'https://me:secret@boarding.provider.example/apply/1',
    '//evil.example/apply/1',
    '/apply/1',
    '',
  ])('is rejected as %j, and the application stays unknown for manual review', async (address) => {
    expect(await applyWith(address)).toEqual({ kind: 'unknown' });
  });
});
