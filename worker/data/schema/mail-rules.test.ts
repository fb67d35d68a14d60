import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { kindsWhere } from './mail.ts';

it('counts the same kinds of email against the daily limit as the outbox trigger', async () => {
  const sql = await env.DB.prepare("SELECT sql FROM sqlite_schema WHERE name = 'outbox_count_day'").first<string>(
    'sql',
  );
  const [, list = ''] = /NEW\.kind IN \(([^)]*)\)/.exec(sql ?? '') ?? [];
  const counted = [...list.matchAll(/'([^']+)'/g)].map(([, kind]) => kind);
  expect(counted.sort()).toEqual(kindsWhere(({ isLimited }) => isLimited === true).sort());
});
