import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect } from 'vitest';
import { clearDatabase, emptyBucket, prepareDatabase } from '../../unit/database.ts';
import { claimSandbox } from '../../unit/own-sandbox.ts';
import { limitD1, takeRefused } from './platform-limits.ts';
import { checkTrail, takeUntold } from './trail-check.ts';

await claimSandbox();

const databases = (['DB', 'INSTALLATION'] as const).map((name) => ({
  name,
  db: env[name],
  schema: env.TEST_SETS[name].schema,
}));

const errors: unknown[][] = [];
const original = console.error;

beforeEach(async () => {
  console.error = (...values: unknown[]) => {
    errors.push(values);
    original(...values);
  };
  for (const { db } of databases) limitD1(db);
  checkTrail();
  await Promise.all(databases.map(prepareDatabase));
});

afterEach(async () => {
  console.error = original;
  const areClear = await Promise.all(databases.map(clearDatabase));
  if (areClear.every(Boolean)) {
    for (const bucket of [env.MEDIA, env.AUDIT_ANCHORS, env.BACKUPS]) await emptyBucket(bucket);
  } else await reset();
  expect(errors.splice(0), 'console.error was called').toEqual([]);
  expect(takeRefused(), 'the platform would refuse').toEqual([]);
  expect(takeUntold(), 'docs/audit.md says what the audit trail tells of').toEqual([]);
});
