import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect } from 'vitest';
import { limitD1, takeRefused } from './platform-limits.ts';

const errors: unknown[][] = [];
const original = console.error;

beforeEach(async () => {
  console.error = (...values: unknown[]) => {
    errors.push(values);
    original(...values);
  };
  limitD1(env.DB);
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
});

afterEach(async () => {
  console.error = original;
  await reset();
  expect(errors.splice(0), 'console.error was called').toEqual([]);
  expect(takeRefused(), 'the platform would refuse').toEqual([]);
});
