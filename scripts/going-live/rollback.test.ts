import { appendFileSync, chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  callsFile,
  callsIn,
  commitAll,
  gitIn,
  makeClone,
  makeRepository,
  runIn,
  writeNote,
} from '#tests/support/going-live/clone';
import { serve } from '#tests/support/going-live/installation';
import { testSettings } from '#tests/support/unit/settings';
import { sampleFile } from './environment-file.ts';

const APP_URL = 'https://staging.clinic.test';
const DEPLOY_HOOK_URL = 'https://hooks.clinic.test';

/** An installation whose live commit is bad and has a predecessor; every change to it is recorded in order. */
async function installation(hook = DEPLOY_HOOK_URL) {
  const settings = { ...testSettings('https://vendor.test'), APP_URL, DEPLOY_HOOK_URL: hook };
  const root = makeClone({ 'staging.json': JSON.stringify({ ...sampleFile, settings }) });
  const origin = makeRepository(root);
  const before = gitIn(root, 'rev-parse', 'HEAD');
  writeFileSync(path.join(root, 'bad.txt'), 'bad');
  const bad = commitAll(root, 'bad');
  gitIn(root, 'push', '-q', 'origin', `${bad}:refs/heads/live-staging`);
  writeNote(root, 'versions', [
    {
      id: 'v-before',
      metadata: { created_on: '2026-01-01T00:00:00Z' },
      annotations: { 'workers/message': `commit ${before}` },
    },
    {
      id: 'v-bad',
      metadata: { created_on: '2026-01-02T00:00:00Z' },
      annotations: { 'workers/message': `commit ${bad}` },
    },
  ]);
  const receive = path.join(origin, 'hooks/pre-receive');
  writeFileSync(receive, `#!/bin/sh\nread was is name\necho "push $name $is" >> '${callsFile(root)}'\n`);
  chmodSync(receive, 0o755);
  const answers = {
    [APP_URL]: await serve((_request, response) => void response.end(JSON.stringify({ commit: bad }))),
    [DEPLOY_HOOK_URL]: await serve((request, response) => {
      appendFileSync(callsFile(root), `hook ${request.method}\n`);
      response.end('{}');
    }),
  };
  const rollBack = (more: Record<string, string> = {}, ...args: string[]) =>
    runIn(root, 'rollback', ['--to', 'staging', ...args], { ANSWERS_AT: JSON.stringify(answers), ...more });
  const calls = () => callsIn(root).filter((call) => !call.startsWith('versions '));
  const live = () => gitIn(origin, 'rev-parse', 'live-staging');
  return { root, origin, before, bad, rollBack, calls, live };
}

describe('npm run rollback', () => {
  it('rolls back the Worker, then the branch, and only then requests a publication', async () => {
    const { before, bad, rollBack, calls, live } = await installation();
    expect(live()).toBe(bad);
    const { status, out, lines } = await rollBack();
    expect(status, lines.join('\n')).toBe(0);
    expect(calls()).toEqual([
      expect.stringMatching(`^rollback v-before --yes --message commit ${before} `),
      `push refs/heads/live-staging ${before}`,
      'hook POST',
    ]);
    expect(live()).toBe(before);
    expect(out).toContain('a publication was requested');
  });

  it('leaves the branch and requests no publication when the platform refuses', async () => {
    const { bad, rollBack, calls, live } = await installation();
    const { status, lines } = await rollBack({ TOOL_FAILS: 'rollback' });
    expect(status).toBe(1);
    expect(lines[0]).toContain('rollback: wrangler rollback failed');
    expect([calls().length, live()]).toEqual([1, bad]);
  });

  it('prints the command to run by hand and requests no publication when it cannot move the branch', async () => {
    const { root, before, bad, rollBack, calls, live, origin } = await installation();
    gitIn(root, 'remote', 'set-url', 'origin', '/nowhere/at-all');
    const { status, lines } = await rollBack();
    expect(status).toBe(1);
    expect(lines[0]).toContain(
      `the Worker is live, but publications stop until this is done: git push --force origin ${before}:refs/heads/live-staging (`,
    );
    expect([calls().length, live()]).toEqual([1, bad]);
    gitIn(root, 'remote', 'set-url', 'origin', origin);
    gitIn(root, 'push', '-q', '--force', 'origin', `${before}:refs/heads/live-staging`);
    expect(live()).toBe(before);
  });

  it('explains how to publish without a hook, and changes nothing without a version to go back to', async () => {
    const { before, rollBack, live } = await installation('');
    expect((await rollBack()).out).toContain('press Publish in the content area');
    expect(live()).toBe(before);
    const second = await installation();
    const { status, lines } = await second.rollBack({}, 'abcdef12');
    expect([status, second.calls(), second.live()]).toEqual([1, [], second.bad]);
    expect(lines[0]).toContain('check that commit out and run npm run deploy');
  });
});
