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

const INVITED = `INSERT INTO content_invitations (id, token_hash, email, role, invited_by, created_at, ends_at)
VALUES (?1, ?1, ?2, 'editor', 'Olga', 0, 4000000000000)`;
const WRITER = `INSERT INTO content_users (id, email, name, status, password, created_at)
VALUES ('w', 'Marta@writer.example', 'Núñez' || char(27) || '[2J', 'active', '', 0)`;

beforeAll(async () => {
  await migrate(state, () => undefined);
  const { env, dispose } = await getPlatformProxy<Env>({
    configPath: 'wrangler.toml',
    persist: { path: path.join(state, 'v3') },
    remoteBindings: false,
  });
  const invited = (id: string, email: string) => env.INSTALLATION.prepare(INVITED).bind(id, email);
  await env.INSTALLATION.batch([
    invited('one', 'marta@writer.example'),
    invited('other', 'olga@writer.example'),
    env.INSTALLATION.prepare(WRITER),
  ]);
  await dispose();
});

describe('npm run privacy', () => {
  it('shows, erases what may go, and a second time erases nothing', async () => {
    const shown = await privacy('--email', 'marta@writer.example');
    expect(shown.code, shown.text).toBe(0);
    expect(shown.text).toContain('content_invitations: 1 row, 1 may be erased now');
    expect(shown.text).toContain('name Núñez [2J');
    expect(shown.text).toContain('stays: an account in use');
    const first = await privacy('--email', 'MARTA@writer.example', '--erase', '--local');
    expect(first.text).toMatch(/content_invitations +1 +1 +0\n/);
    expect(first.text).toMatch(/content_users +1 +0 +1\n/);
    expect(first.text).toMatch(/^1 erased at the local product/m);
    const second = await privacy('--email', 'marta@writer.example', '--erase');
    expect(second.text).toMatch(/^0 erased at the local product/m);
    expect((await privacy('--email', 'olga@writer.example')).text).toContain('1 row, 1 may be erased now');
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
