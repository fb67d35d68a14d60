import { describe, expect, it } from 'vitest';
import { publish, release, type Step, type Steps } from './ship.ts';

const [OLD, NEW] = ['old', 'new'];
const MIGRATIONS: Record<string, string[]> = { [OLD]: ['1'], [NEW]: ['1', '2'] };

/** The platform and the branch, as far as a deploy changes them. */
function world() {
  const state = { live: OLD, branch: OLD, applied: ['1'], uploads: [] as string[] };
  const done: string[] = [];
  const steps = (commit: string, more: Partial<Steps> = {}): Steps => {
    const note = (what: string) => async () => void done.push(what);
    return {
      commit,
      liveCommit: async () => state.live,
      pending: async () => (MIGRATIONS[commit] ?? []).filter((name) => !state.applied.includes(name)),
      test: note('test'),
      migrate: async () => {
        done.push('migrate');
        state.applied = [...(MIGRATIONS[commit] ?? [])];
      },
      readContent: note('read'),
      build: note('build'),
      upload: async () => {
        done.push('upload');
        state.uploads.push(commit);
        state.live = commit;
      },
      moveLive: async () => {
        done.push('move');
        state.branch = commit;
      },
      ...more,
    };
  };
  return { state, done, steps };
}
const step: Step = async (_name, _progress, work) => work();
const NAMES = ['test', 'migrate', 'readContent', 'build', 'upload', 'moveLive'] as const;

describe('a release', () => {
  it('runs the tests before any change, migrates before the upload and moves the branch last', async () => {
    const { done, state, steps } = world();
    await release(steps(NEW), step);
    expect(done).toEqual(['test', 'migrate', 'read', 'build', 'upload', 'move']);
    expect(state).toEqual({ live: NEW, branch: NEW, applied: ['1', '2'], uploads: [NEW] });
  });

  it('skips the tests when the commit is already live and only settings change', async () => {
    const { done, steps } = world();
    await release(steps(OLD), step);
    expect(done).toEqual(['migrate', 'read', 'build', 'upload', 'move']);
  });

  it('changes nothing when a test fails', async () => {
    const { state, steps } = world();
    const red = async () => Promise.reject(new Error('a test failed'));
    await expect(release(steps(NEW, { test: red }), step)).rejects.toThrow('a test failed');
    expect(state).toEqual({ live: OLD, branch: OLD, applied: ['1'], uploads: [] });
  });
});

describe('publishing content', () => {
  it('builds the live commit, applies no migration and moves no branch', async () => {
    const { done, state, steps } = world();
    await publish(steps(OLD), step);
    expect(done).toEqual(['read', 'build', 'upload']);
    expect(state.uploads).toEqual([OLD]);
  });

  it.each(NAMES.flatMap((after) => ['before', 'after'].map((when) => [when, after] as const)))(
    'during a release, %s its step %s, uploads the live commit or stops',
    async (when, at) => {
      const { state, steps } = world();
      const shipped: [built: string, live: string][] = [];
      const other = async () => {
        const built = state.branch;
        const upload = async () => void shipped.push([built, state.live]);
        const forbidden = async () => Promise.reject(new Error('a publication must not'));
        const own = steps(built, { upload, migrate: forbidden, moveLive: forbidden, test: forbidden });
        await publish(own, step).catch((cause: Error) => expect(cause.message).toMatch(/release|migration/));
      };
      const plain = steps(NEW);
      const half = async () => {
        if (when === 'before') await other();
        await plain[at]();
        if (when === 'after') await other();
      };
      await release({ ...plain, [at]: half }, step);
      for (const [built, live] of shipped) expect(built).toBe(live);
      expect(state.uploads).toEqual([NEW]);
    },
  );

  it('stops right before the upload when a release went live during the build', async () => {
    const { done, state, steps } = world();
    const own = steps(OLD, { build: () => release(steps(NEW), step) });
    await expect(publish(own, step)).rejects.toThrow('live is new, and this build has old');
    expect(done.filter((what) => what === 'upload')).toHaveLength(1);
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
