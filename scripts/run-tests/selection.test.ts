import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { journeysAfter, reachedBy, readImports, readSources, VISITS } from './journeys.ts';
import { core, readChanges, rehearsals, select } from './selection.ts';

/** A folder with these files. */
function tree(files: Record<string, string>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'tillway-tree-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

describe('the static imports of a file', () => {
  it('include aliases, pages and transitive imports, but no type-only and no dynamic imports', () => {
    const root = tree({
      'site/page.astro': "---\nimport Screen from './Screen.tsx';\nimport './page.css';\n---\n<Screen />\n",
      'site/Screen.tsx':
        "import {\n  useState,\n} from 'react';\nimport { price } from '#shared/price';\nimport type { Row } from './row.ts';\nconst later = () => import('./Later.tsx');\n",
      'shared/price.ts': "export { cents } from './cents.ts';\n",
      'shared/cents.ts': "import './price.ts';\n",
    });
    expect([...readImports(root)('site/page.astro')].sort()).toEqual([
      'shared/cents.ts',
      'shared/price.ts',
      'site/Screen.tsx',
      'site/page.astro',
      'site/page.css',
    ]);
  });
});

describe('the source files of an address', () => {
  const sourcesOf = readSources();

  it('are the route that answers it or the page of the built site', () => {
    expect(sourcesOf('/api/takings')).toEqual(['worker/routes/takings/takings.ts']);
    expect(sourcesOf('/api/invoices/takePaymentSDK/abc')).toContain('worker/routes/payments/pay.ts');
    expect(sourcesOf('/terms')).toEqual(['site/pages/terms.astro']);
    expect(sourcesOf('/make/payment/abc')).toEqual(
      expect.arrayContaining(['worker/routes/pay-page/pay-page.ts', 'site/pages/make/payment/shell-[language].astro']),
    );
  });

  it('are the screen component that a bundled script contains', () => {
    expect(sourcesOf('/_astro/PayPage.CREhS8tH.js')).toEqual(['site/islands/pay/PayPage.tsx']);
    expect(sourcesOf('/_astro/rolldown-runtime.XKyaHtl9.js')).toEqual([]);
  });
});

describe('the journeys affected by a change', () => {
  const files = {
    'route-a.ts': "import './a.ts';\nimport './refunds/give-back.ts';\n",
    'route-b.ts': "import './refunds/give-back.ts';\n",
    'one.test.ts': "import './help.ts';\n",
  };
  const journeys: Record<string, string[]> = {
    'one.test.ts': ['route-a.ts'],
    'refunds-twice.test.ts': ['route-b.ts'],
    'three.test.ts': ['route-b.ts'],
    'tests/money/four.test.ts': ['route-b.ts'],
    ...Object.fromEntries(['five', 'six', 'seven', 'refunds'].map((name) => [`${name}.test.ts`, []])),
  };
  const all = Object.keys(journeys);
  const reached = (...changed: string[]) => reachedBy(changed, journeys, all, tree(files));

  it('depend on a changed file through the routes they visit or their own imports', () => {
    expect(reached('a.ts')).toEqual({ files: ['one.test.ts'], broad: [] });
    expect(reached('help.ts').files).toEqual(['one.test.ts']);
    expect(reached('six.test.ts', 'a.ts').files).toEqual(['one.test.ts', 'six.test.ts']);
    expect(reached('README.md')).toEqual({ files: [], broad: [] });
  });

  it('are limited to money tests and matching names when over a quarter depend on the file', () => {
    expect(reached('refunds/give-back.ts')).toEqual({
      files: ['refunds-twice.test.ts', 'tests/money/four.test.ts'],
      broad: ['refunds/give-back.ts'],
    });
  });

  it('include a journey that has never run', () => {
    expect(reachedBy([], journeys, [...all, 'new.test.ts'], tree(files)).files).toEqual(['new.test.ts']);
  });
});

describe('the map of journeys', () => {
  it('records the files visited in a run and keeps the entries of other existing tests', () => {
    const visits = { file: 'tests/browser/site.test.ts', paths: ['/terms', '/terms', '/privacy'] };
    const folder = path.join(tree({ [`${VISITS}/a.json`]: JSON.stringify(visits) }), VISITS);
    const prior = { 'tests/browser/site.test.ts': ['old'], 'tests/browser/gone.test.ts': [], 'package.json': ['kept'] };
    expect(journeysAfter(prior, folder)).toEqual({
      'package.json': ['kept'],
      'tests/browser/site.test.ts': ['site/pages/privacy.astro', 'site/pages/terms.astro'],
    });
  });
});

describe('an everyday run', () => {
  it('lists only files that exist', () => {
    for (const file of [...Object.values(core).flat(), ...rehearsals]) expect(existsSync(file), file).toBe(true);
    expect(rehearsals).toHaveLength(5);
  });

  const journeys = Object.fromEntries(Object.values(core).flatMap((files) => files.map((file) => [file, []])));

  it('runs only the core without a base and reports it', () => {
    const { files, omissions, rehearsals: skipped } = select({ base: null, changed: [] }, journeys);
    expect(files.money).toEqual(expect.arrayContaining(core.money));
    expect(skipped).toEqual(rehearsals);
    expect(omissions.join('\n')).toContain('no base to compare with');
    expect(omissions.join('\n')).toMatch(/browser: \d+ of \d+ files/);
  });

  it('runs the command rehearsals when a script, a setting or a package changed', () => {
    const skippedFor = (changed: string[]) => select({ base: 'abc', changed }, journeys).rehearsals;
    expect(skippedFor(['scripts/deploy.ts'])).toEqual([]);
    expect(skippedFor(['package-lock.json'])).toEqual([]);
    expect(skippedFor(['worker/env.ts'])).toEqual([]);
    expect(skippedFor(['worker/log.ts'])).toEqual(rehearsals);
  });
});

describe('the base of a comparison', () => {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@clinic.test'];
  const git = (root: string, ...args: string[]) =>
    execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8' }).trim();

  it('is the branch point from main, or the last commit when on main', () => {
    const root = tree({ 'a.ts': '', 'old.ts': 'a text that is long enough to be known again\n' });
    expect(readChanges(null, root)).toEqual({ base: null, changed: [] });
    git(root, 'init', '-q', '-b', 'main');
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', 'First');
    const first = git(root, 'rev-parse', 'HEAD');
    expect(readChanges(null, root).base).toBeNull();
    writeFileSync(path.join(root, 'new.ts'), '');
    expect(readChanges(null, root)).toEqual({ base: first, changed: ['new.ts'] });
    git(root, 'checkout', '-q', '-b', 'mine');
    git(root, 'mv', 'old.ts', 'moved.ts');
    git(root, 'commit', '-q', '-m', 'Second');
    expect(readChanges(null, root)).toEqual({ base: first, changed: ['moved.ts', 'new.ts', 'old.ts'] });
    expect(readChanges('HEAD', root)).toEqual({ base: 'HEAD', changed: ['new.ts'] });
    expect(() => readChanges('nowhere', root)).toThrow('--base needs a commit');
  });
});
