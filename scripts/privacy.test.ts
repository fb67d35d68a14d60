import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import type { Env } from '#worker/deps';
import { migrate } from './local/migrate.ts';

const state = mkdtempSync(path.join(tmpdir(), 'tillway-privacy-'));
afterAll(() => rmSync(state, { recursive: true }));

const privacy = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['scripts/privacy.ts', ...args], {
    env: { ...process.env, TILLWAY_STATE: state },
  }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
  );

const OLD = Date.now() - 800 * 86_400_000;
const ATTEMPT = `INSERT INTO payment_attempts (id, hub_id, invoice_id, collection, terminal_id, channel, method, amount_cents,
  currency, invoice_number, dedupe_key, receipt_id, receipt_to, payer_first_name, payer_last_name, state, hold_until,
  created_at, settled_at, signature_key)
VALUES (?1, 1, ?1, 1, 't', 'link', 'card', 18400, 'USD', ?1, ?1, ?1, ?2, 'Marta', 'Núñez' || char(27) || '[2J', 'approved', 0, ?3, ?3, ?4)`;

beforeAll(async () => {
  await migrate(state, () => undefined);
  const { env, dispose } = await getPlatformProxy<Env>({
    configPath: 'wrangler.toml',
    persist: { path: path.join(state, 'v3') },
    remoteBindings: false,
  });
  const pay = (id: string, to: string, at: number) =>
    env.DB.prepare(ATTEMPT).bind(id, to, at, `signatures/1/${id}.png`);
  await env.DB.batch([
    pay('old', 'marta@payer.example', OLD),
    pay('new', 'Marta@payer.example', Date.now()),
    pay('other', 'olga@payer.example', OLD),
  ]);
  await env.MEDIA.put('signatures/1/old.png', 'png');
  await dispose();
});

describe('npm run privacy', () => {
  it('shows, erases what may go, and a second time erases nothing', async () => {
    const shown = await privacy('--email', 'marta@payer.example');
    expect(shown.code).toBe(0);
    expect(shown.text).toContain('names, address, receipt address, signature: 2 rows, 1 may be erased now');
    expect(shown.text).toContain('payer_last_name Núñez [2J');
    expect(shown.text).toContain('stays: they answer a dispute');
    const first = await privacy('--email', 'MARTA@payer.example', '--erase', '--local');
    expect(first.text).toMatch(/names, address, receipt address, signature +2 +1 +1\n/);
    expect(first.text).toMatch(/^1 erased at the local product/m);
    const second = await privacy('--email', 'marta@payer.example', '--erase');
    expect(second.text).toMatch(/names, address, receipt address, signature +1 +0 +1\n/);
    expect((await privacy('--email', 'olga@payer.example')).text).toContain('1 row, 1 may be erased now');
  }, 240_000);

  it.each([
    [[], 'give the address of a person'],
    [['--email', 'marta'], 'give the address of a person'],
    [['--email', 'a@b.example', '--local', '--remote'], 'either --local or --remote'],
    [['--email', 'a@b.example', '--all'], "Unknown option '--all'"],
  ])('refuses %j with one line', async (args, why) => {
    const { code, text } = await privacy(...args);
    expect(code).toBe(1);
    expect(text).toContain(`privacy: ${why}`);
    expect(text).not.toContain(' at ');
  });
});
