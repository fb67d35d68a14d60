import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect } from 'vitest';
import { clearDatabase, emptyBucket, prepareDatabase } from '../../unit/database.ts';
import { claimSandbox } from '../../unit/own-sandbox.ts';
import { limitD1, takeRefused } from './platform-limits.ts';
import { checkTrail, takeUntold } from './trail-check.ts';
import { wrapMethod } from './wrap-method.ts';

await claimSandbox();

const databases = (['DB', 'INSTALLATION'] as const).map((name) => ({
  name,
  db: env[name],
  schema: env.TEST_SETS[name].schema,
}));

const buckets = [env.MEDIA, env.AUDIT_ANCHORS, env.BACKUPS];

/** Whether a test has asked a database or written to a bucket; one that has not leaves nothing to clear. */
const shared = globalThis as { unitUse?: { isUsed: boolean } };
if (!shared.unitUse) {
  const use = { isUsed: true };
  shared.unitUse = use;
  for (const name of ['put', 'createMultipartUpload'])
    wrapMethod(Object.getPrototypeOf(env.MEDIA), name, (call) => {
      use.isUsed = true;
      return call();
    });
}
const use = shared.unitUse;

const errors: unknown[][] = [];
const original = console.error;

async function clear(): Promise<void> {
  const areClear = await Promise.all(databases.map(clearDatabase));
  if (areClear.every(Boolean)) await Promise.all(buckets.map((bucket) => emptyBucket(bucket)));
  else await reset();
}

beforeEach(async () => {
  console.error = (...values: unknown[]) => {
    errors.push(values);
    original(...values);
  };
  for (const { db } of databases)
    limitD1(db, () => {
      use.isUsed = true;
    });
  checkTrail();
  await Promise.all(databases.map(prepareDatabase));
});

afterEach(async () => {
  console.error = original;
  if (use.isUsed) await clear();
  use.isUsed = false;
  expect(errors.splice(0), 'console.error was called').toEqual([]);
  expect(takeRefused(), 'the platform would refuse').toEqual([]);
  expect(takeUntold(), 'docs/audit.md says what the audit trail tells of').toEqual([]);
});
