import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readLocal } from './settings.ts';

function newState(): string {
  const state = mkdtempSync(path.join(tmpdir(), 'tillway-settings-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  return state;
}

test.each([
  ['PORT', 'eighty'],
  ['SANDBOX_PORT', '8787'],
  ['TOKEN_KEYS', 'short'],
  ['MAIL_API_KEY', ''],
  ['HOLD_MS', 'long'],
])('reports a malformed %s by name', (name, value) => {
  expect(() => readLocal({ TILLWAY_STATE: newState(), [name]: value })).toThrow(new RegExp(`^setting ${name} `));
});

test('creates secrets on the first start and keeps them', () => {
  const state = newState();
  const [before, after] = [readLocal({ TILLWAY_STATE: state }), readLocal({ TILLWAY_STATE: state })];
  expect(after).toEqual(before);
  expect(readLocal({ TILLWAY_STATE: newState() }).vars.TOKEN_KEYS).not.toBe(before.vars.TOKEN_KEYS);
});
