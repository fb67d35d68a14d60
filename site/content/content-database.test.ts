import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { contentAsEnv, env, openContent } from './content-database.ts';

const state = mkdtempSync(path.join(tmpdir(), 'tillway-content-'));
let close = async () => {};
afterEach(async () => {
  await close();
  rmSync(state, { recursive: true, force: true });
});

describe('the content database of a build', () => {
  it('is readable while open and keeps the data of an earlier build', async () => {
    close = await openContent(state);
    await env.INSTALLATION.exec('CREATE TABLE kept (n INTEGER); INSERT INTO kept VALUES (7)');
    await close();
    close = await openContent(state);
    expect(await env.INSTALLATION.prepare('SELECT n FROM kept').first('n')).toBe(7);
  });

  it('throws when a page reads it before it is opened or after it is closed', async () => {
    expect(() => env.INSTALLATION).toThrow(/not open/);
    await (await openContent(state))();
    expect(() => env.INSTALLATION).toThrow(/not open/);
  });

  it('is the same module for page code and for the build itself', () => {
    const { resolveId } = contentAsEnv as unknown as { resolveId: { handler: () => object } };
    expect(resolveId.handler()).toEqual({ id: new URL('./content-database.ts', import.meta.url).href, external: true });
  });
});
