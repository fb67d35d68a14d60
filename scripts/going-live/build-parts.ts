import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { builtPath } from '#shared/paths';
import { run } from '../local/processes.ts';
import { keepsAddressesOut } from './check-tree.ts';
import { fitConfig, operatorModules, writeAccountConfig } from './installation-config.ts';
import { type Ask, createTables, pullContent } from './remote-database.ts';
import type { Target } from './target.ts';

const WORK = path.resolve('.wrangler/deploy-build');
const OUT = path.resolve('dist');
const COPY = path.join(WORK, 'content');
/** The configuration that the build writes. */
const UPLOADED = path.join(OUT, 'server/wrangler.json');

/** Empties the deploy folder and writes the wrangler configuration for the environment's database into it. */
export async function prepare({ file, appUrl }: Target): Promise<{ work: string; config: string }> {
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  return { work: WORK, config: await writeAccountConfig(file, appUrl, WORK) };
}

/** Copies the published part of the database into a database for the build. */
export async function readPublished(ask: Ask): Promise<void> {
  // The build reads the local database of wrangler.toml, not the environment's.
  const options = ['--local', '--persist-to', COPY, '-c', 'wrangler.toml'];
  await run('wrangler', ['d1', 'execute', 'INSTALLATION', '--command', createTables, ...options]);
  const [file] = globSync('v3/d1/*/*.sqlite', { cwd: COPY }).filter((name) => !name.endsWith('metadata.sqlite'));
  if (!file) throw new Error('there is no database to copy into');
  await pullContent(ask, path.join(COPY, file));
}

/** Builds site and Worker with the operator's words, and writes the environment's names into the configuration. */
export async function build({ name, appUrl, file }: Target): Promise<void> {
  const words = path.join(WORK, 'operators-words.json');
  writeFileSync(words, JSON.stringify(operatorModules(name, file.operator)));
  await run('astro', ['build'], {
    CONTENT_STATE: COPY,
    // A separate cache, because pages rendered for another environment contain its words.
    TILLWAY_STATE: WORK,
    OUT_DIR: OUT,
    APP_URL: appUrl,
    OPERATOR_WORDS: words,
    NODE_ENV: 'production',
  });
  if (!existsSync(path.join(OUT, 'server/entry.mjs'))) throw new Error('the build contains no Worker');
  // The build copies local settings in; they must not leave this machine.
  rmSync(path.join(OUT, 'server/.dev.vars'), { force: true });
  const built = readFileSync(UPLOADED, 'utf8');
  if (!keepsAddressesOut(built)) {
    throw new Error('the built configuration would let the platform keep addresses in its logs; see wrangler.toml');
  }
  writeFileSync(UPLOADED, JSON.stringify(fitConfig(JSON.parse(built), file, appUrl)));
}

/** Uploads Worker, files and settings as one version, so that none is ever live without the others. */
export async function upload({ vars }: Target, commit: string, isRehearsal: boolean): Promise<void> {
  const secrets = path.join(WORK, 'secrets.json');
  const hasSecrets = Object.keys(vars).length > 0;
  if (hasSecrets) writeFileSync(secrets, JSON.stringify(vars), { mode: 0o600 });
  try {
    await run('wrangler', [
      'deploy',
      '-c',
      UPLOADED,
      // A rollback finds the versions of another commit by this message.
      ...(commit ? ['--var', `COMMIT:${commit}`, '--message', `commit ${commit}`] : []),
      ...(hasSecrets ? ['--secrets-file', secrets] : []),
      ...(isRehearsal ? ['--dry-run'] : []),
    ]);
  } finally {
    rmSync(secrets, { force: true });
  }
}

export const builtRevision = (): number =>
  (JSON.parse(readFileSync(path.join(OUT, 'client', builtPath), 'utf8')) as { revision: number }).revision;
