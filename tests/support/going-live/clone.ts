import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Folder in which the tools record their calls and the account's contents; git ignores it. */
const NOTES = 'node_modules/.notes';

/**
 * Replaces wrangler and astro: records its calls, stores what an account at the platform would store, and writes the
 * files of a build. It acts as logged out until the note `logged-in` exists.
 */
const TOOL = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
const args = process.argv.slice(2);
mkdirSync('${NOTES}', { recursive: true });
appendFileSync('${NOTES}/calls', args.join(' ') + '\\n');
if (args[0] === process.env.TOOL_FAILS) process.exit(1);
const listOf = (name) => existsSync('${NOTES}/' + name) ? JSON.parse(readFileSync('${NOTES}/' + name, 'utf8')) : [];
const keep = (name, list) => writeFileSync('${NOTES}/' + name, JSON.stringify(list));
const after = (name) => args[args.indexOf(name) + 1];
const sql = args.includes('--command') ? after('--command') : '';
const answer = (rows) => console.log(JSON.stringify([{ results: rows.map((name) => ({ name })) }]));
const applied = () => process.env.APPLIED ? JSON.parse(process.env.APPLIED) : listOf('applied');
if (args[0] === 'build') {
  mkdirSync('dist/server', { recursive: true });
  mkdirSync('dist/client', { recursive: true });
  writeFileSync('dist/server/entry.mjs', '');
  writeFileSync('dist/client/built.json', '{"revision":7}');
  const observability = { redact_query_string: true, logs: { invocation_logs: false }, traces: { enabled: false } };
  const r2_buckets = [{ binding: 'MEDIA' }, { binding: 'AUDIT_ANCHORS' }, { binding: 'BACKUPS' }];
  const d1_databases = [{ binding: 'INSTALLATION' }];
  writeFileSync('dist/server/wrangler.json', JSON.stringify({ observability, r2_buckets, d1_databases, triggers: { crons: ['* * * * *'] } }));
} else if (args[0] === 'whoami') {
  process.exitCode = existsSync('${NOTES}/logged-in') ? 0 : 1;
} else if (args[0] === 'secret') {
  if (!existsSync('${NOTES}/secrets')) process.exitCode = 1;
  else console.log(JSON.stringify(listOf('secrets').map((name) => ({ name }))));
} else if (args[0] === 'versions') {
  console.log(JSON.stringify(listOf('versions')));
} else if (args[0] === 'deploy') {
  if (args.includes('--secrets-file')) keep('secrets', Object.keys(JSON.parse(readFileSync(after('--secrets-file'), 'utf8'))));
} else if (args.includes('--persist-to')) {
  mkdirSync(after('--persist-to') + '/v3/d1/x', { recursive: true });
  new DatabaseSync(after('--persist-to') + '/v3/d1/x/a.sqlite').exec(args.includes('--json') ? '' : sql);
  if (args.includes('--json')) answer([]);
} else if (args.includes('--file')) {
  keep('applied', [...listOf('applied'), basename(after('--file'))]);
} else if (sql) {
  answer(sql.includes('FROM d1_migrations') ? applied() : sql.includes('sqlite_schema') ? ['x'] : []);
}
`;

/** Reroutes requests to the internet to the servers of this test; without one they fail. */
const REROUTE = `
const there = JSON.parse(process.env.ANSWERS_AT ?? '{}');
const send = globalThis.fetch;
globalThis.fetch = async (to, init) => {
  const { origin, hostname } = new URL(to);
  if (there[origin]) return send(String(to).replace(origin, there[origin]), init);
  if (!['localhost', '127.0.0.1', '[::1]'].includes(hostname)) throw new TypeError('fetch failed');
  return send(to, init);
};
`;

/** Makes a clone without settings, whose tools have no access to the internet. Returns its folder. */
export function makeClone(files: Record<string, string> = {}): string {
  const root = mkdtempSync(path.join(tmpdir(), 'tillway-deploy-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const examples = ['staging', 'production'].map((name) => `docs/${name}.example.json`);
  const copiedPaths = [
    '.gitignore',
    'package.json',
    'wrangler.toml',
    'hubspot',
    'migrations',
    'scripts/local/watchdog.ts',
  ];
  for (const name of [...copiedPaths, ...examples]) cpSync(name, path.join(root, name), { recursive: true });
  for (const tool of ['wrangler', 'astro']) {
    const folder = path.join(root, 'node_modules', tool);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module', bin: { [tool]: 'tool.js' } }));
    writeFileSync(path.join(folder, 'tool.js'), TOOL);
  }
  writeFileSync(path.join(root, 'node_modules/reroute.mjs'), REROUTE);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
  return root;
}

/** Writes a note that the tools read as the account's state: whether it is logged in, or its versions. */
export function writeNote(root: string, name: 'logged-in' | 'versions', value: unknown = true): void {
  mkdirSync(path.join(root, NOTES), { recursive: true });
  writeFileSync(path.join(root, NOTES, name), JSON.stringify(value));
}

export type CommandResult = { status: number | null; out: string; lines: string[] };

/** Runs one of the project's commands in a clone, without this process's variables that name an installation. */
export async function runIn(
  root: string,
  command: string,
  args: string[],
  variables: Record<string, string> = {},
): Promise<CommandResult> {
  const { APP_URL: _address, ENVIRONMENT: _environment, ...env } = process.env;
  const preload = ['--import', path.join(root, 'node_modules/reroute.mjs')];
  const child = spawn(process.execPath, [...preload, path.resolve(`scripts/${command}.ts`), ...args], {
    cwd: root,
    env: { ...env, ...variables },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (err += data));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, out, lines: err.trim().split('\n') };
}

/** The file with one line per call of a tool, in order. */
export const callsFile = (root: string): string => path.join(root, NOTES, 'calls');

/** The calls of the tools, in order. */
export function callsIn(root: string): string[] {
  const calls = callsFile(root);
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
}

/** Runs git in a clone as a test user without personal settings. Returns the output. */
export function gitIn(root: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@clinic.test'];
  const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** Turns a clone into a repository with one commit and a remote; returns the remote's folder. */
export function makeRepository(root: string): string {
  const origin = mkdtempSync(path.join(tmpdir(), 'tillway-origin-'));
  onTestFinished(() => rmSync(origin, { recursive: true }));
  gitIn(origin, 'init', '-q', '--bare');
  gitIn(root, 'init', '-q');
  gitIn(root, 'remote', 'add', 'origin', origin);
  commitAll(root, 'as it was cloned');
  return origin;
}

/** Commits all files that git does not ignore; returns the commit id. */
export function commitAll(root: string, message: string): string {
  gitIn(root, 'add', '-A');
  gitIn(root, 'commit', '-q', '-m', message);
  return gitIn(root, 'rev-parse', 'HEAD');
}
