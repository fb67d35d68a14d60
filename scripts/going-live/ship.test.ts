import { describe, expect, it } from 'vitest';
import { publish, release, type Step, type Steps } from './ship.ts';

const [OLD, NEW] = ['old', 'new'];
const MIGRATIONS: Record<string, string[]> = { [OLD]: ['1'], [NEW]: ['1', '2'] };

/** The parts of the platform and the branch that a deploy changes. */
function world() {
  const state = { live: OLD, branch: OLD, applied: ['1'], uploads: [] as string[] };
  const log: string[] = [];
  const steps = (commit: string, more: Partial<Steps> = {}): Steps => {
    const note = (entry: string) => async () => void log.push(entry);
    return {
      commit,
      liveCommit: async () => state.live,
      pending: async () => (MIGRATIONS[commit] ?? []).filter((name) => !state.applied.includes(name)),
      test: note('test'),
      migrate: async () => {
        log.push('migrate');
        state.applied = [...(MIGRATIONS[commit] ?? [])];
      },
      readContent: note('read'),
      build: note('build'),
      upload: async () => {
        log.push('upload');
        state.uploads.push(commit);
        state.live = commit;
      },
      moveLive: async () => {
        log.push('move');
        state.branch = commit;
      },
      ...more,
    };
  };
  return { state, log, steps };
}
const step: Step = async (_name, _progress, work) => work();
const STEP_NAMES = ['test', 'migrate', 'readContent', 'build', 'upload', 'moveLive'] as const;

describe('a release', () => {
  it('runs the tests before any change, migrates before the upload and moves the branch last', async () => {
    const { log, state, steps } = world();
    await release(steps(NEW), step);
    expect(log).toEqual(['test', 'migrate', 'read', 'build', 'upload', 'move']);
    expect(state).toEqual({ live: NEW, branch: NEW, applied: ['1', '2'], uploads: [NEW] });
  });

  it('skips the tests when the commit is already live and only settings change', async () => {
    const { log, steps } = world();
    await release(steps(OLD), step);
    expect(log).toEqual(['migrate', 'read', 'build', 'upload', 'move']);
  });

  it('changes nothing when a test fails', async () => {
    const { state, steps } = world();
    const failingTest = async () => Promise.reject(new Error('a test failed'));
    await expect(release(steps(NEW, { test: failingTest }), step)).rejects.toThrow('a test failed');
    expect(state).toEqual({ live: OLD, branch: OLD, applied: ['1'], uploads: [] });
  });
});

describe('publishing content', () => {
  it('builds the live commit, applies no migration and moves no branch', async () => {
    const { log, state, steps } = world();
    await publish(steps(OLD), step);
    expect(log).toEqual(['read', 'build', 'upload']);
    expect(state.uploads).toEqual([OLD]);
  });

  it.each(STEP_NAMES.flatMap((after) => ['before', 'after'].map((when) => [when, after] as const)))(
    'during a release, %s its step %s, uploads the live commit or stops',
    async (when, at) => {
      const { state, steps } = world();
      const shipped: [built: string, live: string][] = [];
      const publishNow = async () => {
        const built = state.branch;
        const upload = async () => void shipped.push([built, state.live]);
        const forbidden = async () => Promise.reject(new Error('a publication must not'));
        const publication = steps(built, { upload, migrate: forbidden, moveLive: forbidden, test: forbidden });
        await publish(publication, step).catch((cause: Error) => expect(cause.message).toMatch(/release|migration/));
      };
      const plain = steps(NEW);
      const interrupted = async () => {
        if (when === 'before') await publishNow();
        await plain[at]();
        if (when === 'after') await publishNow();
      };
      await release({ ...plain, [at]: interrupted }, step);
      for (const [built, live] of shipped) expect(built).toBe(live);
      expect(state.uploads).toEqual([NEW]);
    },
  );

  it('stops right before the upload when a release went live during the build', async () => {
    const { log, state, steps } = world();
    const publication = steps(OLD, { build: () => release(steps(NEW), step) });
    await expect(publish(publication, step)).rejects.toThrow('live is new, and this build has old');
    expect(log.filter((entry) => entry === 'upload')).toHaveLength(1);
    expect(state.live).toBe(NEW);
  });

  it('stops when a migration of its own commit is pending or the commit is unknown', async () => {
    const { steps } = world();
    await expect(publish(steps(OLD, { pending: async () => ['0020_x.sql'] }), step)).rejects.toThrow(
      '0020_x.sql is pending',
    );
    await expect(publish(steps('', { liveCommit: async () => '' }), step)).rejects.toThrow('which commit');
  });
});
