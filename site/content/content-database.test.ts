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

describe('the database of a build', () => {
  it('is there while it is open, with what an earlier build left in it', async () => {
    close = await openContent(state);
    await env.INSTALLATION.exec('CREATE TABLE kept (n INTEGER); INSERT INTO kept VALUES (7)');
    await close();
    close = await openContent(state);
    expect(await env.INSTALLATION.prepare('SELECT n FROM kept').first('n')).toBe(7);
  });

  it('refuses a page that comes before it is open or after it was closed', async () => {
    expect(() => env.INSTALLATION).toThrow(/not open/);
    await (await openContent(state))();
    expect(() => env.INSTALLATION).toThrow(/not open/);
  });

  it('is what the code of pages gets, in the module that the build itself has', () => {
    const { resolveId } = contentAsEnv as unknown as { resolveId: { handler: () => object } };
    expect(resolveId.handler()).toEqual({ id: new URL('./content-database.ts', import.meta.url).href, external: true });
  });
});
