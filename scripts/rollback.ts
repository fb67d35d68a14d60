import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readArguments, remoteName } from './going-live/environment-file.ts';
import { writeAccountConfig } from './going-live/installation-config.ts';
import { liveCommitAt, moveLiveBranch, targetOf, versionsIn } from './going-live/live-version.ts';
import { readEnvironment } from './going-live/read-environment.ts';
import { short } from './going-live/ship.ts';
import { entryOf, QUIET, run } from './local/processes.ts';

/**
 * `npm run rollback -- --to production [COMMIT]`: deploys the newest version of the previous commit, or of the given
 * one, moves the publications branch to it, and requests a publication, since a version's pages are as old as the
 * version. The databases stay unchanged: an older Worker works with newer migrations.
 */
try {
  const { name, rest } = readArguments(process.argv.slice(2), []);
  await rollBack(remoteName(name), rest[0]);
} catch (cause) {
  console.error(`rollback: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
}

async function rollBack(to: ReturnType<typeof remoteName>, commit: string | undefined): Promise<void> {
  const { file, settings } = readEnvironment(to);
  if (!file || !settings) throw new Error(`${to} is not complete; npm run doctor -- --to ${to} lists what is missing`);
  const work = mkdtempSync(path.join(tmpdir(), 'tillway-rollback-'));
  try {
    const config = await writeAccountConfig(file, settings.APP_URL, work);
    const live = await liveCommitAt(settings.APP_URL);
    const target = targetOf(versionsIn(listVersions(config)), live, commit);
    console.log(`- from ${short(live)} to ${short(target.commit)}, version ${target.id}`);
    await run('wrangler', ['rollback', target.id, '--yes', '--message', `commit ${target.commit}`, '-c', config]);
    moveLiveBranch(to, target.commit);
    await requestPublication(settings.DEPLOY_HOOK_URL);
  } finally {
    rmSync(work, { recursive: true });
  }
}

function listVersions(config: string): string {
  const args = [...entryOf('wrangler'), 'versions', 'list', '--json', '-c', config];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, ...QUIET } });
  if (status !== 0) throw new Error('wrangler does not list the versions; are you logged in?');
  return stdout.slice(stdout.indexOf('['));
}

async function requestPublication(hook: string): Promise<void> {
  const answer = hook === '' ? null : await fetch(hook, { method: 'POST' }).catch(() => null);
  console.log(answer?.ok ? '- a publication was requested' : '- press Publish in the content area: the pages are old');
}
