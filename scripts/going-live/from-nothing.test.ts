import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { boarding, crmApp, hubs, mailApiKey } from '#sandbox/credentials';
import { online, startSandbox } from '#tests/sandbox/start';
import {
  type CommandResult,
  callsIn,
  commitAll,
  gitIn,
  makeClone,
  makeRepository,
  runIn,
  writeNote,
} from '#tests/support/going-live/clone';
import { answerAsInstallation, type Secrets, serve } from '#tests/support/going-live/installation';
import { VENDORS } from './check-go-live.ts';
import { type EnvironmentFile, type Evidence, NAMES, type RemoteName } from './environment-file.ts';
import { migrationFiles } from './remote-database.ts';

/**
 * Follows docs/deploy.md as a newcomer would, from a clone to production: each command of the steps either runs as
 * written or needs an account that the step names. Each problem that the doctor reports comes with a remedy.
 */
const DOCUMENT = readFileSync('docs/deploy.md', 'utf8');
const [steps = ''] = DOCUMENT.split('\n## Later\n');
const sections = steps.split(/^## /m);

type Command = { line: string; section: string; isMarked: boolean };
const commands: Command[] = sections.flatMap((section) => {
  const title = section.split('\n')[0] ?? '';
  return [...section.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = '']) =>
    block
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((text) => {
        const [line = ''] = text.split(/\s{2,}#/);
        return { line, section: title, isMarked: `${title}${text}`.includes('†') };
      }),
  );
});

/** Commands of other tools, each with the account that it needs. */
const ACCOUNT_COMMANDS: [command: RegExp, account: string][] = [
  [/^npx wrangler /, 'Cloudflare'],
  [/npx -p @hubspot\/cli hs /, 'HubSpot'],
];
const ranCommands = new Set<string>();

/** Runs a line of the document in the clone; the project's own commands use tools that reach no network. */
async function run(root: string, line: string, variables: Record<string, string> = {}): Promise<CommandResult> {
  expect(
    commands.map((command) => command.line),
    'is in docs/deploy.md',
  ).toContain(line.replace('--to production', '--to staging'));
  ranCommands.add(line);
  const [, name = '', rest = ''] = /^npm run ([\w-]+) --\s*(.*)$/.exec(line) ?? [];
  if (name !== '') return runIn(root, name, rest.split(' '), variables);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: root, encoding: 'utf8' });
  return { status, out: stdout, lines: stderr.split('\n') };
}

type Line = { state: string; label: string; detail: string };
const linesOf = ({ out }: CommandResult): Line[] =>
  [...out.matchAll(/^ {2}(missing|account|wrong) +(.+?)(?:: (.*))?$/gm)].map(
    ([, state = '', label = '', detail = '']) => ({ state, label, detail }),
  );
/** Matches a line that names the next action: a step, a command, a place in the documents, or an account. */
const HAS_REMEDY = /\(step \d\)|of step 3|npm run |npx |docs\/|^needs an? |of your own$/;
let withoutRemedy: string[] = [];

async function doctor(root: string, name: RemoteName, variables: Record<string, string> = {}): Promise<Line[]> {
  const result = await run(root, `npm run doctor -- --to ${name}`, variables);
  const lines = linesOf(result);
  expect(result.status, result.out).toBe(lines.length === 0 ? 0 : 1);
  if (lines.length === 0) expect(result.out).toContain('Everything is in place.');
  const open = lines.filter(({ detail }) => !HAS_REMEDY.test(detail));
  withoutRemedy.push(...open.map(({ label, detail }) => `${label}: ${detail}`));
  return lines;
}

type CompleteFile = EnvironmentFile & { settings: Record<string, string> };
function editFile(root: string, name: RemoteName, edit: (file: CompleteFile) => void): CompleteFile {
  const at = path.join(root, `${name}.json`);
  const file = JSON.parse(readFileSync(at, 'utf8')) as CompleteFile;
  edit(file);
  writeFileSync(at, JSON.stringify(file));
  return file;
}

const world = await startSandbox();
const evidence = ({ uptime, merchants, badges }: CompleteFile['operator']): Evidence[] =>
  [`${uptime} uptime`, `${merchants} merchants`, ...badges].map((claim) => ({
    claim,
    covers: 'All that we do.',
    since: '2026-01-01',
    url: 'https://clinic.test/claims',
    seen: new Date().toISOString().slice(0, 10),
  }));

/** A generous limit for a busy machine; it only ends a run that hangs. */
const HANGS_MS = 1_800_000;

it('a newcomer gets from an empty folder to production by following the docs', { timeout: HANGS_MS }, async () => {
  const root = makeClone({ 'scripts/test.ts': "console.log('the tests ran')" });
  const origin = makeRepository(root);
  withoutRemedy = [];

  // Nothing is set up yet: the part of a deploy that needs no settings, and the doctor's report on the rest.
  const rehearsal = await run(root, 'npm run deploy -- --dry-run');
  expect(rehearsal.out).toContain('nothing was uploaded: everything that runs on this machine works');
  const environments = ['staging', 'production'] as const;
  for (const name of environments)
    expect(await doctor(root, name)).toContainEqual(
      expect.objectContaining({ state: 'missing', label: `${name}.json` }),
    );

  // Step 3: both files, with the values that a newcomer generates or chooses.
  for (const name of environments) {
    await run(root, `cp docs/${name}.example.json ${name}.json && chmod 600 ${name}.json`);
    const generate = async (about: string) => {
      const line = commands.find((entry) => entry.line.startsWith('node -e') && entry.line.includes(about))?.line ?? '';
      return (await run(root, line)).out.trim();
    };
    const empty = (await doctor(root, name)).filter(({ state }) => state === 'missing').map(({ label }) => label);
    for (const setting of empty) {
      const value = await generate(/_KEYS$/.test(setting) ? 'k1:' : 'base64url');
      editFile(root, name, ({ settings }) => void Object.assign(settings, { [setting]: value }));
    }
    editFile(root, name, ({ settings, operator }) => {
      settings.APP_URL = `https://${name}.clinic.test`;
      settings.MAIL_FROM = `Clinic <receipts@${name}.clinic.test>`;
      operator.supportEmail = 'help@clinic.test';
      operator.evidence = evidence(operator);
    });
    // All remaining lines need an account, and each names it.
    const remaining = (await doctor(root, name)).filter(({ label }) => !label.startsWith('probe of'));
    expect(remaining.filter(({ state }) => state !== 'account')).toEqual([]);
    expect([...new Set(remaining.map(({ detail }) => detail.split(';')[0]))].sort()).toEqual([
      'needs a Clearent partner account',
      'needs a Cloudflare account',
      'needs a HubSpot developer account',
      'needs an account at the mail service',
    ]);
  }
  // Until then, a deploy changes nothing and refers to the doctor.
  const earlyDeploy = await run(root, 'npm run deploy -- --to staging');
  expect([earlyDeploy.status, earlyDeploy.lines.at(-1)]).toEqual([
    1,
    'deploy: staging is not complete; npm run doctor -- --to staging lists what is missing',
  ]);

  // Step 4: the app is uploaded before it has an id; then the values from the accounts, here of the simulated world.
  const app = await run(root, 'npm run hubspot-app -- --to staging');
  expect(app.out, app.lines.join('\n')).toContain(
    'cd .wrangler/hubspot-staging && npx -p @hubspot/cli hs project upload',
  );
  const answers: Record<RemoteName, Record<string, string>> = { staging: {}, production: {} };
  // Production has its own accounts, which the simulated world does not have.
  const vendors = await serve((request, response) => {
    if (request.url?.endsWith('/token')) response.writeHead(400).end('{"status":"BAD_REFRESH_TOKEN"}');
    else response.end('{}');
  });
  let commit = '';
  for (const [order, name] of environments.entries()) {
    const accountValue = order === 0 ? (value: string) => value : (value: string) => `${value}-of-production`;
    const { settings } = editFile(root, name, (file) => {
      file.database.id = `5b1c1f6e-0000-4000-8000-3d2a1f6e5b1${order}`;
      Object.assign(file.settings, {
        HUBSPOT_CLIENT_ID: accountValue(crmApp.clientId),
        HUBSPOT_CLIENT_SECRET: accountValue(crmApp.clientSecret),
        BOARDING_ACCESS_KEY: accountValue(boarding.accessKey),
        BOARDING_NODE_KEY: boarding.hierarchyNodeKey,
        MAIL_API_KEY: accountValue(mailApiKey),
        MAIL_WEBHOOK_SECRET: `whsec_${String(order).repeat(32)}`,
      });
      for (const secret of ['MONITOR_SECRET', 'OPERATOR_SECRET', 'HEALTH_SECRET', 'OPERATOR_SETUP_CODE'])
        file.settings[secret] = `${secret}-of-${name}-alone`;
    });
    const appUrl = settings.APP_URL ?? '';
    const installed = await serve(answerAsInstallation(settings as Secrets, () => ({ appUrl, commit })));
    for (const entry of environments) answers[entry][appUrl] = installed;
    for (const [setting, value] of Object.entries(settings))
      if (/_BASE(_URL)?$/.test(setting)) answers[name][new URL(value).origin] = order === 0 ? world.url : vendors;
  }
  // Step 5, without and with a Cloudflare login.
  const at = (name: RemoteName) => ({ ANSWERS_AT: JSON.stringify(answers[name]) });
  const loggedOut = await doctor(root, 'staging', at('staging'));
  expect(loggedOut).toContainEqual(expect.objectContaining({ state: 'account', label: 'Cloudflare account' }));
  writeNote(root, 'logged-in');

  // Before real cards: the transcripts are committed, so that staging and production get the same commit.
  const [first] = hubs;
  const keys = { PROBE_HUBSPOT_TOKEN: await world.accessToken(first), PROBE_GATEWAY_KEY: online.apiKey };
  const day = new Date().toISOString().slice(0, 10);
  for (const vendor of VENDORS) {
    const { status, out } = await runIn(root, 'probe', [vendor, '--to', 'staging'], { ...at('staging'), ...keys });
    expect(status).toBe(0);
    writeFileSync(path.join(root, `docs/${vendor}-${day}.md`), out);
  }
  expect((await run(root, 'npm run deploy -- --to staging', at('staging'))).lines).toEqual([
    'deploy: a release needs a commit, and this folder has uncommitted changes: commit first',
  ]);
  spawnSync('sh', ['-c', 'mkdir -p docs/probes && mv docs/*-20*.md docs/probes'], { cwd: root });
  const probesCommit = commitAll(root, 'probe transcripts');
  const goLive = await doctor(root, 'production', at('production'));
  for (const label of ['the same commit in staging', 'alerts are set up'])
    expect(goLive).toContainEqual(expect.objectContaining({ label }));
  const ALERT_WEBHOOK_URL = 'https://alerts.clinic.test';
  answers.production[ALERT_WEBHOOK_URL] = await serve((_request, response) => void response.end());
  editFile(root, 'production', ({ settings }) => {
    Object.assign(settings, { ALERT_MAIL_TO: 'a@clinic.test', ALERT_WEBHOOK_URL, HEARTBEAT_URL: ALERT_WEBHOOK_URL });
  });

  for (const name of environments) {
    const before = callsIn(root).length;
    const deployed = await run(root, `npm run deploy -- --to ${name}`, at(name));
    expect(deployed.status, deployed.lines.join('\n')).toBe(0);
    expect([...deployed.out.matchAll(/^- (.*)$/gm)].map(([, step]) => step)).toEqual([
      ...(name === 'staging' ? ['running the tests'] : []),
      ...['applying migrations', 'reading what is published', 'building the site', 'uploading'],
      'moving the live branch',
    ]);
    const calls = callsIn(root).slice(before);
    if (name === 'staging')
      expect(calls.filter((call) => call.includes('--file'))).toHaveLength(migrationFiles().length);
    expect(calls.filter((call) => call.startsWith('deploy '))).toHaveLength(1);
    expect(gitIn(origin, 'rev-parse', name === 'staging' ? 'live-staging' : 'live')).toBe(probesCommit);
    commit = probesCommit;
    // Step 6 provides the last setting.
    expect(await doctor(root, name, at(name))).toContainEqual(
      expect.objectContaining({ state: 'account', label: 'DEPLOY_HOOK_URL' }),
    );
    const DEPLOY_HOOK_URL = `https://hooks.clinic.test/${name}`;
    editFile(root, name, ({ settings }) => void Object.assign(settings, { DEPLOY_HOOK_URL }));
    const again = await run(root, `npm run deploy -- --to ${name}`, at(name));
    expect(again.out, 'settings alone need no tests').not.toContain('running the tests');
  }
  for (const name of environments) expect(await doctor(root, name, at(name)), name).toEqual([]);
  // Step 9.
  expect((await run(root, 'npm run doctor -- --alert', at('production'))).out).toContain('Everything is in place.');
  expect(withoutRemedy).toEqual([]);

  // `npm ci` ran before this test, which uses its packages.
  ranCommands.add('npm ci');
  // Commands that were not run need an account, and are marked as such.
  for (const { line: command, section, isMarked } of commands.filter((entry) => !ranCommands.has(entry.line))) {
    const [, account = ''] = ACCOUNT_COMMANDS.find(([words]) => words.test(command)) ?? [];
    expect(account, `${section}: ${command}`).not.toBe('');
    expect(isMarked, `${section}: ${command} says †`).toBe(true);
    expect(DOCUMENT.split('\n## ')[0], account).toContain(account);
  }
  expect(NAMES).toEqual(['local', ...environments]);
});
