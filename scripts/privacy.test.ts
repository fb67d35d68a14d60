import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** Runs the command with a port on which nothing answers. */
const privacy = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['scripts/privacy.ts', ...args], {
    env: { ...process.env, PORT: '9', TILLWAY_STATE: '.wrangler/none' },
  }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
  );

describe('npm run privacy', () => {
  it.each([
    [[], 'give the address of a person'],
    [['--email', 'marta'], 'give the address of a person'],
    [['--email', 'a@b.example', '--local', '--remote'], 'use either --local or --remote'],
    [['--email', 'a@b.example', '--all'], "Unknown option '--all'"],
    [['--email', 'a@b.example'], 'http://localhost:9 does not answer; npm start starts it'],
  ])('rejects %j with one line', async (args, reason) => {
    const { code, text } = await privacy(...args);
    expect(code).toBe(1);
    expect(text).toContain(`privacy: ${reason}`);
    expect(text).not.toContain(' at ');
  });
});
