import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { mailApiKey } from '#sandbox/credentials';
import { dental, online, startSandbox } from '#tests/sandbox/start';
import { makeClone, runIn } from '#tests/support/going-live/clone';
import { VENDORS } from '../going-live/check-go-live.ts';

const world = await startSandbox();

const probe = (args: string[], variables: Record<string, string> = {}, root = makeClone()) =>
  runIn(root, 'probe', args, variables);

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

describe('npm run probe', () => {
  it.each([
    ['hubspot', 'PROBE_HUBSPOT_TOKEN'],
    ['gateway', 'PROBE_GATEWAY_KEY'],
    ['mail', 'MAIL_API_KEY'],
  ])('reports that %s without a settings file needs only %s', async (vendor, name) => {
    const { status, lines, out } = await probe([vendor, '--to', 'staging']);
    expect([status, out]).toEqual([1, '']);
    expect(lines).toEqual([`probe: set ${name}: docs/probes/README.md says where it comes from`]);
  });

  it.each([
    ['gateway', { PROBE_GATEWAY_KEY: online.apiKey, GATEWAY_BASE_URL: world.url }, 'batches-are-nested: yes'],
    ['mail', { MAIL_API_KEY: mailApiKey, MAIL_API_BASE: world.url }, 'key-is-known: yes'],
  ])('probes %s with nothing but its key', async (vendor, variables, answer) => {
    const { status, out } = await probe([vendor, '--to', 'staging'], variables);
    expect(status).toBe(0);
    expect(out).toContain(answer);
  });

  it('probes the platform without an installation and reports the settings the rest needs', async () => {
    const { status, out } = await probe(['cloudflare', '--to', 'staging']);
    expect(status).toBe(0);
    expect(out).toContain('not answered: set APP_URL');
  });

  it('uses the settings of an unfinished file and rejects one that is not JSON', async () => {
    const settings = { MAIL_API_KEY: mailApiKey, MAIL_API_BASE: world.url, TOKEN_KEYS: '' };
    const { status, out } = await probe(
      ['mail', '--to', 'staging'],
      {},
      makeClone({ 'staging.json': JSON.stringify({ settings }) }),
    );
    expect(status).toBe(0);
    expect(out).toContain('key-is-known: yes');
    const broken = await probe(['mail', '--to', 'staging'], {}, makeClone({ 'staging.json': '{' }));
    expect(broken.lines).toEqual(['probe: staging.json is not JSON']);
  });

  it.each(VENDORS)('reports in one line that nothing is running locally for %s', async (vendor) => {
    const [PORT, SANDBOX_PORT] = [await freePort(), await freePort()];
    const { status, lines } = await probe([vendor, '--to', 'local'], { PORT, SANDBOX_PORT });
    const port = vendor === 'cloudflare' ? PORT : SANDBOX_PORT;
    expect([status, lines]).toEqual([
      1,
      [`probe: nothing answers at http://localhost:${port}: run npm start in another window first`],
    ]);
  });
});

describe('--write', () => {
  const rejection = async (...args: Parameters<typeof probe>) => {
    const { status, out, lines } = await probe(...args);
    expect([status, out]).toEqual([1, '']);
    return lines;
  };
  const charges = async () => (await world.charges('invoice=')).length;

  it('is rejected for production with any vendor', async () => {
    const variables = {
      PROBE_HUBSPOT_TOKEN: 'x',
      PROBE_GATEWAY_KEY: online.apiKey,
      MAIL_API_KEY: mailApiKey,
    };
    for (const vendor of VENDORS)
      expect(await rejection([vendor, '--to', 'production', '--write'], variables), vendor).toEqual([
        'probe: --write is for test accounts: --to staging or local',
      ]);
  });

  it.each([
    ['GATEWAY_BASE_URL', 'https://gateway.clearent.net/'],
    ['BOARDING_BASE_URL', 'https://boarding.clearent.net'],
  ])('is rejected when %s is a production address of the card provider', async (setting, address) => {
    const variables = {
      PROBE_GATEWAY_KEY: online.apiKey,
      PROBE_GATEWAY_PUBLIC_KEY: online.publicKey,
      GATEWAY_BASE_URL: world.url,
      [setting]: address,
    };
    const before = await charges();
    expect(await rejection(['gateway', '--to', 'staging', '--write'], variables)).toEqual([
      `probe: --write is for test accounts, and ${setting} is ${address}, a production address of the card provider`,
    ]);
    expect(await charges()).toBe(before);
  });

  it('is rejected when the CRM account belongs to a business', async () => {
    const variables = {
      PROBE_HUBSPOT_TOKEN: await world.accessToken(dental, 'write'),
      HUBSPOT_API_BASE: world.url,
      PROBE_HUBSPOT_INVOICE: '1',
    };
    expect(await rejection(['hubspot', '--to', 'staging', '--write'], variables)).toEqual([
      'probe: --write is for test accounts of HubSpot (DEVELOPER_TEST, SANDBOX, APP_DEVELOPER), and this one reports the type STANDARD',
    ]);
  });

  it('is required before a sale or a mail reaches the vendor', async () => {
    const before = [await charges(), (await world.get<unknown[]>('/_sandbox/mail')).json.length];
    const keys = {
      PROBE_GATEWAY_KEY: online.apiKey,
      PROBE_GATEWAY_PUBLIC_KEY: online.publicKey,
      MAIL_API_KEY: mailApiKey,
    };
    const variables = {
      ...keys,
      GATEWAY_BASE_URL: world.url,
      MAIL_API_BASE: world.url,
      MAIL_FROM: 'A <a@clinic.test>',
    };
    for (const vendor of ['gateway', 'mail'])
      expect((await probe([vendor, '--to', 'staging'], variables)).out).toContain('not asked: it writes');
    expect([await charges(), (await world.get<unknown[]>('/_sandbox/mail')).json.length]).toEqual(before);
    const { status, out } = await probe(['gateway', '--to', 'staging', '--write'], variables);
    expect(status).toBe(0);
    expect(out).not.toContain('not asked');
    expect(await charges()).toBeGreaterThan(before[0] ?? 0);
  });
});
