import { type Question, unknown, yesIf } from './question.ts';
import { at, type Talk } from './talk.ts';

/** Access of this machine to the Cloudflare account and the repository. */
export type Account = {
  /** Applies every migration, as a release does, to a temporary database. Throws an Error with the reason. */
  tryMigrations(): Promise<number>;
  /** The head of the branch from which publications are built; empty if there is none. */
  liveHead(): string;
  /** Requests a build from the deploy hook; returns its response. */
  askForBuild(): Promise<unknown>;
};

const MAX_POLLS = 40;
const requestHealth = (talk: Talk) => {
  talk.input('APP_URL');
  return talk.ask('GET', '/api/health');
};
const health = async (talk: Talk) => at((await requestHealth(talk)).json, 'commit');

export const cloudflareQuestions = (account: Account): Question[] => [
  {
    id: 'import-takes-our-migrations',
    claim: 'D1’s import takes every migration of ours, triggers included.',
    writes: true,
    async look() {
      try {
        return yesIf(true, `${await account.tryMigrations()} files in a temporary database`);
      } catch (cause) {
        return yesIf(false, cause instanceof Error ? cause.message.slice(0, 300) : String(cause));
      }
    },
    yes: 'npm run deploy may apply them.',
    no: 'Do not deploy: rewrite the file as the reason says, and add its pattern to scripts/checks/migrations.ts.',
  },
  {
    id: 'live-branch-is-what-answers',
    claim: 'The branch from which publications are built is at the live commit.',
    writes: false,
    async look(talk) {
      const [head, live] = [account.liveHead(), await health(talk)];
      if (head === '' || live === '') return unknown(`branch ${head || 'missing'}, answers ${live || 'nothing'}`);
      return yesIf(head === live, `branch ${head.slice(0, 8)}, answers ${live.slice(0, 8)}`);
    },
    yes: 'Publications build.',
    no: 'Publications stop: finish the release, or run npm run rollback.',
  },
  {
    id: 'hook-builds-the-branch-alone',
    claim: 'The deploy hook builds the head of that branch and no other code.',
    writes: true,
    async look(talk) {
      const before = await health(talk);
      const build = at(await account.askForBuild(), 'result', 'build_uuid');
      if (build === '') return unknown('the hook returned no build');
      const version = at((await requestHealth(talk)).json, 'version');
      for (let poll = 0; poll < MAX_POLLS; poll++) {
        const reply = await requestHealth(talk);
        if (at(reply.json, 'version') !== version) {
          const after = at(reply.json, 'commit');
          return yesIf(after === before, `from ${before.slice(0, 8)} to ${after.slice(0, 8)}`);
        }
        await talk.pause(15_000);
      }
      return unknown('no new version in ten minutes: check the build’s log');
    },
    yes: 'DEPLOY_HOOK_URL may be set.',
    no: 'Empty DEPLOY_HOOK_URL, and check which branch the hook builds.',
  },
  {
    id: 'worker-answers-soon',
    claim: 'The Worker answers within 300 ms from here, five times out of five.',
    writes: false,
    async look(talk) {
      const times: number[] = [];
      for (let call = 0; call < 5; call++) {
        const startedAt = talk.now();
        await requestHealth(talk);
        times.push(talk.now() - startedAt);
      }
      return yesIf(Math.max(...times) <= 300, `${times.join(', ')} ms`);
    },
    yes: 'placement may stay as it is.',
    no: 'Try placement with a region near the CRM and the card provider, and probe again.',
  },
];
