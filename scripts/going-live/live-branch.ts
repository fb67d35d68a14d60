import { spawnSync } from 'node:child_process';
import type { RemoteName } from './environment-name.ts';

/** The branch that the build service builds publications from; only a release or a rollback moves it. */
export const liveBranch = (name: RemoteName): string => (name === 'production' ? 'live' : `live-${name}`);

/** Names the branch anew, also backwards. Throws an Error that says what to run by hand. */
export function moveLiveBranch(name: RemoteName, commit: string): void {
  const args = ['push', '--force', 'origin', `${commit}:refs/heads/${liveBranch(name)}`];
  const { status, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) {
    const reason = stderr.trim().split('\n').at(-1);
    throw new Error(`the Worker is live, but publications stop until this is done: git ${args.join(' ')} (${reason})`);
  }
}

/** The commit of this folder, as a build service or git names it; empty where there is no repository. */
export function ownCommit(env: NodeJS.ProcessEnv): string {
  return env.WORKERS_CI_COMMIT_SHA || git('rev-parse', 'HEAD');
}

/** Whether what would be built is what the commit says. */
export const isCommitted = (): boolean => git('status', '--porcelain') === '';

function git(...args: string[]): string {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}
