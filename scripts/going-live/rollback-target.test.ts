import { expect, it } from 'vitest';
import { targetOf, versionsIn } from './live-version.ts';

const [OLD, BEFORE, BAD] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string];
const list = (...commits: string[]) =>
  versionsIn(
    JSON.stringify(
      commits.map((commit, at) => ({
        id: `v${at}`,
        metadata: { created_on: `2026-01-0${at + 1}T00:00:00Z` },
        annotations: commit ? { 'workers/message': `commit ${commit}` } : {},
      })),
    ),
  );

it('a rollback targets the newest version of the previous commit and skips later uploads of the bad one', () => {
  expect(targetOf(list(OLD, BEFORE, BEFORE, BAD, BAD), BAD)).toEqual({ id: 'v2', commit: BEFORE });
  expect(targetOf(list(OLD, BEFORE, BAD), BAD, OLD.slice(0, 8))).toEqual({ id: 'v0', commit: OLD });
});

it('a second rollback goes further back instead of returning to the bad commit', () => {
  expect(targetOf(list(OLD, BEFORE, BAD), BEFORE).commit).toBe(OLD);
});

it('a rollback explains what to do when no earlier version is available', () => {
  expect(() => targetOf(list(BAD, BAD), BAD)).toThrow('check that commit out');
  expect(() => targetOf(list(OLD, ''), BAD)).toThrow('name a commit');
  expect(() => targetOf(list(OLD, BAD), BAD, BAD)).toThrow('that commit is live');
});
