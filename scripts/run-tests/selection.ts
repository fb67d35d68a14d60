import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { type Journeys, reachedBy } from './journeys.ts';

/** The files that differ from a base. `base` null: there is none, and `changed` is empty. */
export type Changes = { base: string | null; changed: string[] };

/** The changes since the base. Throws an Error if the given base is not a commit. */
export function readChanges(baseName: string | null, root = '.'): Changes {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  const commitOf = (name: string) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  if (baseName !== null && commitOf(baseName) === null)
    throw new Error(`--base needs a commit, and "${baseName}" is not one.`);
  const base = baseName ?? baseOf(git);
  if (base === null) return { base, changed: [] };
  // A renamed file counts under both names.
  const changed = git('diff', '--name-only', '--no-renames', '--relative', base) ?? '';
  const added = git('ls-files', '--others', '--exclude-standard') ?? '';
  return { base, changed: [...new Set(`${changed}\n${added}`.split('\n').filter(Boolean))].sort() };
}

type Git = (...args: string[]) => string | null;

/** The commit at which this branch left main. On main itself HEAD, if there are uncommitted changes; otherwise null. */
function baseOf(git: Git): string | null {
  for (const mainBranch of ['origin/main', 'main']) {
    const branchPoint = git('merge-base', 'HEAD', mainBranch);
    if (branchPoint === null) continue;
    return branchPoint !== git('rev-parse', 'HEAD') || git('status', '--porcelain') !== '' ? branchPoint : null;
  }
  return null;
}

/** Parts of which an everyday run includes only the core and the tests that the change affects. */
export const selected = ['money', 'whole', 'browser'] as const;
export type Selected = (typeof selected)[number];

const FILES: Record<Selected, string> = {
  money: 'tests/money/**/*.test.ts',
  whole: 'tests/{whole,spec}/**/*.test.ts',
  browser: 'tests/browser/**/*.test.ts',
};

const filesNamed = (folder: string, names: string) => names.split(' ').map((name) => `tests/${folder}/${name}.test.ts`);

/** Tests that exercise each capability once. */
export const core: Record<Selected, string[]> = {
  money: filesNamed('money', 'payments mutants'),
  whole: filesNamed('whole', 'payment terminals batches content onboarding team headers'),
  browser: filesNamed(
    'browser',
    'pay pay-form pay-twice pay-states take-payment front-desk-day invoice-journey login cms-publish keyboard-jobs site',
  ),
};

/** Tests that run starts, deploys and rollbacks with the real commands, for minutes each. */
export const rehearsals = [
  'scripts/start.test.ts',
  'scripts/need-packages.test.ts',
  ...globSync('scripts/going-live/{from-nothing,deploy,rollback}.test.ts').sort(),
];
/** The sources of the commands: the scripts themselves, settings and packages. */
const COMMAND_SOURCES =
  /^(?:scripts\/|package(?:-lock)?\.json$|wrangler\.toml$|astro\.config\.mjs$|worker\/env\.ts$|migrations\/)/;

export type Selection = {
  /** Files to run by part; a missing part runs completely. */
  files: Partial<Record<Selected, string[]>>;
  /** Files of the part node that do not run. */
  rehearsals: string[];
  /** The omitted tests and the reasons, one per line. */
  omissions: string[];
};

const list = (files: string[]) => (files.length > 8 ? `${files.slice(0, 8).join(', ')} …` : files.join(', '));

/** Selects the files of an everyday run, for the parts that it does not run completely. */
export function select({ base, changed }: Changes, journeys: Journeys): Selection {
  const all = Object.fromEntries(selected.map((part) => [part, globSync(FILES[part]).sort()])) as Record<
    Selected,
    string[]
  >;
  const reach = reachedBy(changed, journeys, Object.values(all).flat());
  const files = Object.fromEntries(
    selected.map((part) => [part, all[part].filter((file) => core[part].includes(file) || reach.files.includes(file))]),
  ) as Record<Selected, string[]>;
  const isRehearsed = changed.some((file) => COMMAND_SOURCES.test(file));
  return {
    files,
    rehearsals: isRehearsed ? [] : rehearsals,
    omissions: [
      base === null
        ? 'no base to compare with: only the core of money, whole and browser'
        : `compared with ${base.slice(0, 12)}: ${changed.length} changed files`,
      ...(reach.broad.length > 0
        ? [
            `more than a quarter of the journeys depend on ${list(reach.broad)}: only the core, money and journeys named after it run`,
          ]
        : []),
      ...selected.map((part) => {
        const [count, total] = [files[part].length, all[part].length];
        return `${part}: ${count} of ${total} files, ${count - core[part].length} besides the core; the others are not affected`;
      }),
      ...(isRehearsed ? [] : [`rehearsals, since no script, setting or package changed: ${list(rehearsals)}`]),
    ],
  };
}
