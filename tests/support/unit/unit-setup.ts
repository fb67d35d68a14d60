import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect } from 'vitest';
import { clearDatabase, emptyBucket, prepareDatabase } from '../../unit/database.ts';
import { claimSandbox } from '../../unit/own-sandbox.ts';
import { limitD1, takeRefused } from './platform-limits.ts';
import { checkTrail, takeUntold } from './trail-check.ts';

await claimSandbox();

const errors: unknown[][] = [];
const original = console.error;

beforeEach(async () => {
  console.error = (...values: unknown[]) => {
    errors.push(values);
    original(...values);
  };
  limitD1(env.DB);
  checkTrail();
  await prepareDatabase(env.DB, env.TEST_SCHEMA);
});

afterEach(async () => {
  console.error = original;
  if (await clearDatabase(env.DB, env.TEST_SCHEMA)) {
    for (const bucket of [env.MEDIA, env.AUDIT_ANCHORS]) await emptyBucket(bucket);
  } else await reset();
  expect(errors.splice(0), 'console.error was called').toEqual([]);
  expect(takeRefused(), 'the platform would refuse').toEqual([]);
  expect(takeUntold(), 'docs/audit.md says what the audit trail tells of').toEqual([]);
});
