import { describe, expect, it, test } from 'vitest';
import { declarationOf } from '#worker/data/schema/table';
import '#worker/data/schema/tables';
import { ACTS, findUnauditedTable, senderIn } from '../support/unit/trail-check.ts';

const EVENT = 'insert into "audit_events" ("account_id") select 1 WHERE changes() > 0';

test.each(Object.keys(ACTS))('the audited table %s exists', (table) => {
  expect(declarationOf(table).name).toBe(table);
});

describe('a batch that needs an audit event', () => {
  it.each([
    ['payment_attempts', 'update "payment_attempts" set "state" = ?, "next_check_at" = ? where "id" = ?'],
    ['payment_attempts', 'insert into "payment_attempts" ("id") select ?'],
    ['ledger', 'insert into "ledger" ("account_id") select ?'],
    ['pay_links', "UPDATE pay_links SET state = 'ended' WHERE account_id = ?1"],
    ['content_users', 'UPDATE content_users SET password = ?3 WHERE id = 1'],
    ['invoices', 'update "invoices" set "collection" = collection + 1, "local_status" = ?'],
  ])('is detected by its table when the event is missing: %s', (table, statement) => {
    expect(findUnauditedTable(['SELECT 1', statement])).toBe(table);
    expect(findUnauditedTable([statement, EVENT])).toBeNull();
  });

  it.each([
    'update "payment_attempts" set "next_check_at" = ?, "checks" = ? where ("id" = ? and "state" = ?)',
    'update "invoices" set "balance_cents" = ? where "local_status" = ?',
    'update "crm_tokens" set "access_token" = ?, "version" = ? where "account_id" = ?',
    'select * from "ledger"',
  ])('is not reported for a statement without an audited change: %s', (statement) => {
    expect(findUnauditedTable([statement])).toBeNull();
  });
});

describe('the sender of a batch', () => {
  const stackOf = (...lines: string[]) =>
    `Error\n${lines.map((line) => `    at f (file:///x/${line}:1:1)`).join('\n')}`;

  it('is the nearest product file, unless a test sent the batch itself', () => {
    expect(senderIn(stackOf('node_modules/drizzle-orm/d1.js', 'worker/data/planted.ts', 'worker/a.test.ts'))).toBe(
      'worker/data/planted.ts',
    );
    expect(senderIn(stackOf('worker/domain/audit/trail.test.ts', 'worker/data/planted.ts'))).toBe('');
    expect(senderIn(stackOf('tests/support/unit/world.ts'))).toBe('');
  });
});
