import { spawn } from 'node:child_process';
import path from 'node:path';

/**
 * One check: a Node program, so that it needs no shell and starts the same way on every platform. `isVerbose`: its
 * output is shown even if it succeeds.
 */
export type Check = { name: string; args: string[]; isVerbose?: true };

const tool = (file: string) => path.resolve(import.meta.dirname, '../../node_modules', file);
const script = (file: string) => path.resolve(import.meta.dirname, '..', file);

export const directions: Check = {
  name: 'import directions',
  args: [
    tool('dependency-cruiser/bin/dependency-cruiser.mjs'),
    // By content, because a checkout gives every file a new modification time.
    ...['--cache', '.wrangler/dependency-cruiser', '--cache-strategy', 'content'],
    ...['--config', '.dependency-cruiser.ts', 'worker', 'site', 'sandbox', 'shared', 'scripts', 'tests'],
  ],
};

export const lint: Check = {
  name: 'format and lint',
  args: [tool('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings', '--max-diagnostics=100', '--colors=off'],
};

/** Longest first, because two run at a time. */
export const checks: Check[] = [
  {
    name: 'types of the site',
    args: [
      tool('astro/bin/astro.mjs'),
      ...['check', '--tsconfig', 'site/tsconfig.json', '--minimumSeverity', 'warning'],
    ],
  },
  directions,
  // TypeScript 7 cannot read .astro files, so the check of the site uses another version.
  { name: 'types', args: [tool('typescript-7/bin/tsc'), '--noEmit'] },
  lint,
  { name: 'lock', args: [script('complete-lock.ts'), '--check'] },
  { name: 'licences', args: [script('checks/licences.ts')] },
  { name: 'migrations', args: [script('checks/migrations.ts')] },
  { name: 'openapi', args: [script('openapi.ts'), '--check'] },
  { name: 'doc paths', args: [script('checks/doc-paths.ts')] },
  { name: 'comments', args: [script('checks/comments.ts')] },
  { name: 'contrast', args: [script('checks/contrast.ts')] },
  { name: 'words of payers', args: [script('checks/payer-words.ts')] },
  { name: 'sandbox facts', args: [script('checks/sandbox-facts.ts')], isVerbose: true },
];

export type Outcome = { name: string; isOk: boolean; output: string };

/** Runs one check in a folder and captures its output. */
export function runCheck({ name, args }: Check, cwd: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: {
        ...process.env,
        ASTRO_TELEMETRY_DISABLED: '1',
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
        NO_COLOR: '1',
        FORCE_COLOR: '0',
      },
    });
    let output = '';
    const append = (data: Buffer) => {
      output += data.toString();
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', (cause) => resolve({ name, isOk: false, output: cause.message }));
    child.once('close', (code) => resolve({ name, isOk: code === 0, output }));
  });
}
