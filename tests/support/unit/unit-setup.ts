import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect } from 'vitest';
import { clearDatabase, emptyBucket, prepareDatabase } from '#tests/unit/database';
import { claimSandbox } from '#tests/unit/own-sandbox';
import { limitD1, takeRefusals } from './platform-limits.ts';
import { checkTrail, takeUnauditedChanges } from './trail-check.ts';
import { wrapMethod } from './wrap-method.ts';

await claimSandbox();

const databases = (['DB', 'INSTALLATION'] as const).map((name) => ({
  name,
  db: env[name],
  schema: env.TEST_SETS[name].schema,
}));

const buckets = [env.MEDIA, env.AUDIT_ANCHORS, env.BACKUPS];

/** The databases and buckets that a test used; the others need no clearing. */
type Used = Set<D1Database | 'buckets'>;
const shared = globalThis as { unitUse?: Used };
if (!shared.unitUse) {
  const used: Used = new Set([...databases.map(({ db }) => db), 'buckets' as const]);
  shared.unitUse = used;
  for (const name of ['put', 'createMultipartUpload'])
    wrapMethod(Object.getPrototypeOf(env.MEDIA), name, (call) => {
      used.add('buckets');
      return call();
    });
}
const used = shared.unitUse;

const errors: unknown[][] = [];
const original = console.error;

async function clear(): Promise<void> {
  const areClear = await Promise.all(databases.filter(({ db }) => used.has(db)).map(clearDatabase));
  if (!areClear.every(Boolean)) await reset();
  else if (used.has('buckets')) await Promise.all(buckets.map((bucket) => emptyBucket(bucket)));
  used.clear();
}

beforeEach(async () => {
  console.error = (...values: unknown[]) => {
    errors.push(values);
    original(...values);
  };
  for (const { db } of databases)
    limitD1(db, () => {
      used.add(db);
    });
  checkTrail();
  await Promise.all(databases.map(prepareDatabase));
});

afterEach(async () => {
  console.error = original;
  await clear();
  expect(errors.splice(0), 'console.error was called').toEqual([]);
  expect(takeRefusals(), 'statements that the platform would refuse').toEqual([]);
  expect(takeUnauditedChanges(), 'auditable changes without an event, see docs/audit.md').toEqual([]);
});
