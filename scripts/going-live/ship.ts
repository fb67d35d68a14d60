/** The steps and queries of a deploy; deploy.ts has the real implementations. */
export type Steps = {
  /** Commit of the source that is built. */
  commit: string;
  /** Commit of the deployed Worker; empty without a response. */
  liveCommit(): Promise<string>;
  pending(): Promise<string[]>;
  test(): Promise<void>;
  migrate(): Promise<void>;
  readContent(): Promise<void>;
  build(): Promise<void>;
  upload(): Promise<void>;
  moveLive(): Promise<void>;
};
export type Step = (name: string, progress: number, work: () => Promise<void>) => Promise<void>;

/**
 * A release deploys code: it runs the tests, applies migrations first, and moves the branch from which editors publish.
 * If its commit is already live, it only changes settings, which may be urgent and which the tests do not cover.
 */
export async function release(steps: Steps, step: Step): Promise<void> {
  if ((await steps.liveCommit()) !== steps.commit) await step('running the tests', 1, steps.test);
  await step('applying migrations', 5, steps.migrate);
  await step('reading what is published', 15, steps.readContent);
  await step('building the site', 25, steps.build);
  await step('uploading', 85, steps.upload);
  await step('moving the live branch', 95, steps.moveLive);
}

/**
 * A publication deploys only content: the source must be the live commit, both before the build and right before the
 * upload, since a release may have been deployed meanwhile.
 */
export async function publish(steps: Steps, step: Step): Promise<void> {
  await mustBeLive(steps);
  await step('reading what is published', 15, steps.readContent);
  await step('building the site', 25, steps.build);
  await step('looking for a release', 80, () => mustBeLive(steps));
  await step('uploading', 85, steps.upload);
}

async function mustBeLive({ commit, liveCommit, pending }: Steps): Promise<void> {
  if (commit === '') throw new Error('cannot tell which commit this is; a publication builds from a repository');
  const live = await liveCommit();
  if (live !== commit) {
    throw new Error(
      `a release is under way or was not finished: live is ${short(live)}, and this build has ${short(commit)}; publish again when it has finished`,
    );
  }
  const files = await pending();
  if (files.length > 0) throw new Error(`a publication applies no migration, and ${files.join(', ')} is pending`);
}

export const short = (commit: string): string => commit.slice(0, 8) || 'unknown';
