/** What a deploy does, one step at a time, and what it asks of the world; deploy.ts has the real ones. */
export type Steps = {
  /** Of the source that is built. */
  commit: string;
  /** Of the Worker that answers; empty where none does. */
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
 * A release brings code: it is tested, its migrations go first, and the branch that editors publish from follows it. Where
 * its commit is live already, it brings settings alone, which may be urgent and were not what the tests look at.
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
 * A publication brings content and nothing else: the source that is built must be the one that answers, before the build
 * and again right before the upload, since a release may have overtaken it meanwhile.
 */
export async function publish(steps: Steps, step: Step): Promise<void> {
  await mustBeLive(steps);
  await step('reading what is published', 15, steps.readContent);
  await step('building the site', 25, steps.build);
  await step('looking for a release', 80, () => mustBeLive(steps));
  await step('uploading', 85, steps.upload);
}

async function mustBeLive({ commit, liveCommit, pending }: Steps): Promise<void> {
  if (commit === '') throw new Error('nothing says which commit this is; a publication builds from a repository');
  const live = await liveCommit();
  if (live !== commit) {
    throw new Error(
      `a release is under way or was not finished: live is ${short(live)}, and this build has ${short(commit)}; publish again when it is through`,
    );
  }
  const files = await pending();
  if (files.length > 0) throw new Error(`a publication applies no migration, and ${files.join(', ')} is pending`);
}

export const short = (commit: string): string => commit.slice(0, 8) || 'unknown';
