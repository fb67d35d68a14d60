import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { openDb } from './data/db.ts';
import { accounts } from './data/schema/schema.ts';
import { causeOf, consoleLog } from './log.ts';

const SECRET = 'na2-0f3b6c1d-55aa-4a11-9f0e-8d6d2c1b7a90';

async function failureOf(work: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (cause) {
    return cause;
  }
  throw new Error('it did not fail');
}

describe('a cause in the log', () => {
  it('names the failed database call and the reason, without its values', async () => {
    const db = openDb(env.DB);
    const row = { accountId: 7, name: 'Harbor Physio', domain: SECRET, timeZone: 'UTC', connectedAt: 1 };
    await db.insert(accounts).values(row as never);
    const text = causeOf(await failureOf(() => db.insert(accounts).values(row as never)));
    expect(text).toContain('insert into "accounts"');
    expect(text).toContain('UNIQUE constraint failed: accounts.account_id');
    for (const value of [SECRET, 'Harbor', 'params']) expect(text).not.toContain(value);
    expect(text).not.toContain('\n');
  });

  it('leaves out a value that the driver could not bind', async () => {
    const message = await failureOf(async () =>
      env.DB.prepare('SELECT ?')
        .bind({ toString: () => SECRET })
        .run(),
    );
    const text = causeOf(message);
    expect(text).toContain('not supported');
    expect(text).not.toContain('na2');
  });

  it('is cut off when its chain is long or loops', () => {
    const cause = new Error('outer', { cause: new TypeError('inner') });
    expect(causeOf(cause)).toBe('Error: outer < TypeError: inner');
    const loop = new Error('again');
    loop.cause = loop;
    expect(causeOf(loop)).toBe(Array(4).fill('Error: again').join(' < '));
    expect(causeOf(new Error('x'.repeat(5000))).length).toBeLessThanOrEqual(200);
  });

  it.each([
    ['a body that is not JSON', () => JSON.parse('abc-secret-abc') as unknown],
    ['an address', () => Promise.reject(new Error('https://vendor.example/tokens/abc-secret-abc?x=1 did not answer'))],
    ['a token', () => Promise.reject(new Error('/tokens/abc-secret-abc-0123456789abcdef: 404'))],
  ])('contains nothing from %s', async (_case, work) => {
    const text = causeOf(await failureOf(async () => work()));
    expect(text).not.toContain('secret');
    expect(text).toMatch(/^\w*Error: .+/);
  });
});

it('writes a single line of JSON, whatever the fields contain', () => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const forgedText = 'x"}\n{"level":"alert","event":"forged"}\r\u2028';
  consoleLog.info('request', { route: forgedText });
  spy.mockRestore();
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/[\n\r]/);
  expect(JSON.parse(lines[0] ?? '')).toEqual({ level: 'info', event: 'request', route: forgedText });
});
