import { spawnSync } from 'node:child_process';
import * as z from 'zod/mini';
import type { RemoteName } from './environment-file.ts';

/** The branch from which the build service builds publications; only a release or a rollback moves it. */
export const liveBranch = (name: RemoteName): string => (name === 'production' ? 'live' : `live-${name}`);

/** Moves the branch to a commit, even an older one. Throws an Error with the command to run manually. */
export function moveLiveBranch(name: RemoteName, commit: string): void {
  const args = ['push', '--force', 'origin', `${commit}:refs/heads/${liveBranch(name)}`];
  const { status, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) {
    const reason = stderr.trim().split('\n').at(-1);
    throw new Error(`the Worker is live, but publications stop until this is done: git ${args.join(' ')} (${reason})`);
  }
}

/** The commit of this folder, from the build service or git; empty without a repository. */
export function ownCommit(env: NodeJS.ProcessEnv): string {
  return env.WORKERS_CI_COMMIT_SHA || git('rev-parse', 'HEAD');
}

/** True if the working tree matches the commit. */
export const isCommitted = (): boolean => git('status', '--porcelain') === '';

function git(...args: string[]): string {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

const WAIT_MS = 10_000;
const Health = z.object({ commit: z.string() });

/** The commit of the deployed Worker, even if it reports itself unhealthy; empty without a response. */
export async function liveCommitAt(appUrl: string): Promise<string> {
  try {
    const answer = await fetch(`${appUrl}/api/health`, { redirect: 'manual', signal: AbortSignal.timeout(WAIT_MS) });
    return Health.parse(await answer.json()).commit;
  } catch {
    return '';
  }
}

const Versions = z.array(
  z.object({
    id: z.string(),
    metadata: z.object({ created_on: z.string() }),
    annotations: z.optional(z.record(z.string(), z.unknown())),
  }),
);
export type Version = { id: string; commit: string };

/** The versions that deploys uploaded, newest first, each with the commit from its message. */
export function versionsIn(json: string): Version[] {
  return Versions.parse(JSON.parse(json))
    .sort((a, b) => b.metadata.created_on.localeCompare(a.metadata.created_on))
    .flatMap(({ id, annotations }) => {
      const [, commit] = /^commit ([0-9a-f]{40})$/.exec(String(annotations?.['workers/message'] ?? '')) ?? [];
      return commit ? [{ id, commit }] : [];
    });
}

/**
 * The newest version of the commit that was live before the current one, or of the commit with the given prefix.
 * Versions of the current commit do not count, because publications create them.
 */
export function targetOf(versions: Version[], live: string, prefix?: string): Version {
  const from = versions.findIndex(({ commit }) => commit === live);
  if (!prefix && from === -1) throw new Error('none of the ten newest versions is live; name a commit');
  const version = prefix
    ? versions.find(({ commit }) => commit.startsWith(prefix))
    : versions.slice(from).find(({ commit }) => commit !== live);
  if (!version) {
    throw new Error(
      `none of the ten newest versions is of ${prefix ?? 'an earlier commit'}; check that commit out and run npm run deploy`,
    );
  }
  if (version.commit === live) throw new Error('that commit is live');
  return version;
}
