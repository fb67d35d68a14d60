import { build, builtRevision, prepare, readPublished, upload } from './going-live/build-parts.ts';
import { readArguments, remoteName, sampleFile } from './going-live/environment-file.ts';
import { isCommitted, liveCommitAt, moveLiveBranch, ownCommit } from './going-live/live-version.ts';
import { applyMigrations, makeAsk, pendingMigrations } from './going-live/remote-database.ts';
import { publish, release, type Step, type Steps } from './going-live/ship.ts';
import { readTarget, rehearsalTarget, type Target } from './going-live/target.ts';
import { run, stopAll } from './local/processes.ts';
import { reasonOf, reportLocalBuild } from './local/report-build.ts';

/**
 * `npm run deploy -- [--to staging | production] [--content | --dry-run | --variables]`: a release tests this commit,
 * applies migrations, builds the site from published content, uploads Worker, files and secrets as one version, and
 * moves the branch from which publications are built. The deploy hook runs `--content`: a publication without new code.
 * `--dry-run` sends nothing: it uses an empty local database and only prepares the upload. `--variables` prints the
 * settings for a build service, without secrets.
 */
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => void stopAll().then(() => process.exit(1)));

/** The target once the deploy has started, so that a failure is reported there. */
let startedTarget: Target | undefined;
try {
  const { name, flags, rest } = readArguments(process.argv.slice(2), ['--content', '--dry-run', '--variables']);
  if (rest.length > 0) throw new Error(`unknown argument ${rest.join(' ')}`);
  const to = remoteName(name);
  if (flags.has('--dry-run')) await rehearse(rehearsalTarget(to, sampleFile));
  else {
    const target = readTarget(to, process.env, console.error);
    if (flags.has('--variables')) printVariables(target);
    else await ship(target, flags.has('--content'));
  }
} catch (cause) {
  // One line for the person who deploys, without a stack trace, which would not help them.
  console.error(`deploy: ${cause instanceof Error ? cause.message : String(cause)}`);
  if (startedTarget) await report(startedTarget, { state: 'failed', reason: reasonOf(cause) });
  process.exitCode = 1;
}

async function ship(to: Target, isPublication: boolean): Promise<void> {
  const commit = ownCommit(process.env);
  if (!isPublication && (commit === '' || !isCommitted()))
    throw new Error('a release needs a commit, and this folder has uncommitted changes: commit first');
  startedTarget = to;
  const { work, config } = await prepare(to);
  const database = ['--remote', '-c', config];
  const steps = stepsOf(to, { commit, work, database, isRehearsal: false });
  await (isPublication ? publish : release)(steps, reportSteps(to));
  await report(to, { state: 'built', revision: builtRevision() });
  console.log(`live at ${to.appUrl}, revision ${builtRevision()}; npm run doctor -- --to ${to.name} checks it`);
}

/** Runs all local steps of an upload, without the tests and without moving the live branch. */
async function rehearse(to: Target): Promise<void> {
  const { work, config } = await prepare(to);
  const steps = stepsOf(to, {
    commit: ownCommit(process.env),
    work,
    database: ['--local', '--persist-to', work, '-c', config],
    isRehearsal: true,
  });
  const noop = async () => undefined;
  await release({ ...steps, moveLive: noop, liveCommit: async () => steps.commit }, reportSteps(to));
  console.log('nothing was uploaded: everything that runs on this machine works');
}

type StepOptions = { commit: string; work: string; database: string[]; isRehearsal: boolean };

function stepsOf(to: Target, { commit, work, database, isRehearsal }: StepOptions): Steps {
  const ask = makeAsk(database);
  const execute = (file: string) =>
    run('wrangler', ['d1', 'execute', 'INSTALLATION', '--file', file, '--yes', ...database]);
  return {
    commit,
    liveCommit: () => liveCommitAt(to.appUrl),
    pending: async () => (await pendingMigrations(ask)).pending,
    test: () => run('node', ['scripts/test.ts'], {}, console.log),
    migrate: async () => {
      const applied = await applyMigrations(ask, execute, work, { together: isRehearsal });
      console.log(`  ${applied.length} applied`);
    },
    readContent: () => readPublished(ask),
    build: () => build(to),
    upload: () => upload(to, commit, isRehearsal),
    moveLive: async () => moveLiveBranch(to.name, commit),
  };
}

/** Reports progress to the content area; if a report fails, the content area checks the live site instead. */
function reportSteps(to: Target): Step {
  return async (name, progress, work) => {
    console.log(`- ${name}`);
    await report(to, { state: 'building', progress, step: name });
    await work();
  };
}

async function report({ appUrl, buildSecret }: Target, body: Parameters<typeof reportLocalBuild>[2]): Promise<void> {
  if (buildSecret) await reportLocalBuild({ appUrl, buildSecret }, 'latest', body);
}

function printVariables({ appUrl, file }: Target): void {
  console.log(`APP_URL=${appUrl}\nENVIRONMENT=${JSON.stringify(file)}`);
}
