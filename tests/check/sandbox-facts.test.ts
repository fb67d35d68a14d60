import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsIn, problemsOf, readSandbox } from '#scripts/checks/sandbox-facts';

const root = path.resolve(import.meta.dirname, '../..');
const files = readSandbox(root);
const facts = factsIn(files);
const withText = (file: string, from: string, to: string) =>
  factsIn(new Map(files).set(file, (files.get(file) ?? '').replace(from, to)));

describe('source marks in the sandbox', () => {
  it('exist at every vendor route', () => {
    expect(facts.unmarked).toEqual([]);
    expect(facts.marks.documented).toBeGreaterThan(30);
    expect(problemsOf(facts, facts.marks.guessed)).toEqual([]);
  });

  it.each([
    ['a route of the CRM', 'sandbox/crm/oauth.ts', "\n  app.get('/oauth/v9/roles', (c) => c.json({}));\n  return app;"],
    ['one for all methods', 'sandbox/crm/oauth.ts', "\n  app.on('GET', ['/x'], (c) => c.json({}));\n  return app;"],
    [
      'a route under an ordinary comment',
      'sandbox/crm/oauth.ts',
      "\n  // Roles.\n  app.get('/x', (c) => 1);\n  return app;",
    ],
  ])('are reported as missing: %s', (_label, file, to) => {
    const { unmarked } = withText(file, '\n  return app;', to);
    expect(unmarked).toHaveLength(1);
    expect(problemsOf({ ...facts, unmarked }, facts.marks.guessed)[0]).toMatch(
      /^sandbox\/crm\/oauth\.ts:\d+ has no mark/,
    );
  });

  it('are counted, and a removed mark is detected', () => {
    for (const [file, text] of files)
      for (const [line] of text.matchAll(/^ +\/\/ \[documented\] .*\n/gm))
        expect(withText(file, line, '').marks.documented).toBe(facts.marks.documented - 1);
    const [mark = ''] =
      /^ +\/\/ \[documented\] .*\n(?= +app\.delete)/m.exec(files.get('sandbox/crm/oauth.ts') ?? '') ?? [];
    expect(withText('sandbox/crm/oauth.ts', mark, '').unmarked).toHaveLength(1);
  });

  it('may not include more guessed facts than the recorded number, which must be lowered with them', () => {
    const { guessed } = facts.marks;
    const extra = withText('sandbox/crm/oauth.ts', '\n  return app;', '\n  // [guessed] More.\n  return app;');
    expect(problemsOf(extra, guessed)).toEqual([expect.stringMatching(/^\d+ facts are guessed, but the limit is \d+/)]);
    expect(problemsOf(facts, guessed + 1)).toEqual([expect.stringMatching(/^Only \d+ facts are guessed: lower/)]);
  });
});
