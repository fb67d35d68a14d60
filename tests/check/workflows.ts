import { parse } from 'yaml';
import { completeOnly, parts, readArguments } from '#scripts/run-tests/parts';

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = {
  permissions?: unknown;
  'timeout-minutes'?: number;
  strategy?: { matrix?: { shard?: string[] } };
  steps?: Step[];
};
type Workflow = {
  on?: Record<string, unknown>;
  permissions?: unknown;
  concurrency?: { 'cancel-in-progress'?: boolean };
  jobs?: Record<string, Job>;
};

/** An action pinned by the full hash of a commit, because a tag can be moved. The version is for readers. */
const PINNED = /^\s*(?:- )?uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

const SHARD = /\$\{\{ matrix\.shard \}\}/;

/** Each command of a job, once for each shard of its matrix. */
const commandsOf = ({ steps = [], strategy }: Job): string[] => {
  const shards = strategy?.matrix?.shard ?? [''];
  const lines = steps.flatMap(({ run = '' }) => run.split('\n'));
  return lines.flatMap((line) => [...new Set(shards.map((shard) => line.replace(SHARD, shard)))]);
};

const jobsOf = (text: string): [name: string, job: Job][] => Object.entries((parse(text) as Workflow).jobs ?? {});

/** The faults of one workflow. `scripts` are those of package.json. */
export function problemsOf(text: string, scripts: Record<string, string>): string[] {
  const { on, permissions, concurrency } = parse(text) as Workflow;
  const problems: string[] = [];
  for (const line of text.split('\n'))
    if (/\buses:/.test(line) && !PINNED.test(line)) problems.push(`not pinned by hash and version: ${line.trim()}`);
  if (JSON.stringify(permissions) !== '{"contents":"read"}') problems.push('permissions are not contents: read alone');
  if (!concurrency?.['cancel-in-progress']) problems.push('an older run is not cancelled');
  if (on && 'pull_request_target' in on) problems.push('pull_request_target gives code from forks our permissions');
  for (const [name, job] of jobsOf(text)) {
    if (job.permissions !== undefined) problems.push(`${name} has its own permissions`);
    if (!job['timeout-minutes']) problems.push(`${name} has no timeout`);
    for (const { uses, with: inputs } of job.steps ?? [])
      if (uses?.startsWith('actions/checkout@') && inputs?.['persist-credentials'] !== false)
        problems.push(`${name} leaves the token of the checkout on the disk`);
    for (const command of commandsOf(job)) problems.push(...problemsOfCommand(command, scripts));
  }
  return problems;
}

function problemsOfCommand(command: string, scripts: Record<string, string>): string[] {
  const [, script = ''] = /^npm (?:run )?([\w:-]+)/.exec(command) ?? [];
  if (!['', 'ci', 'audit'].includes(script) && !(script in scripts))
    return [`package.json has no script for: ${command}`];
  try {
    wordsOf(command);
    return [];
  } catch (cause) {
    return [`${command}: ${cause instanceof Error ? cause.message : cause}`];
  }
}

/** The arguments of `npm test`, parsed like scripts/test.ts does. */
function wordsOf(command: string) {
  const [, words] = /^npm test(?: --)?(.*)$/.exec(command) ?? [];
  return words === undefined ? null : readArguments(words.split(' ').filter(Boolean), () => []);
}

/** The parts of `npm test` that no job of a workflow runs, or the missing share of one, such as `unit 1/1`. */
export function uncoveredParts(text: string): string[] {
  const commands = jobsOf(text).flatMap(([, job]) => commandsOf(job));
  const runs = commands.flatMap((command) => wordsOf(command) ?? []);
  const everyday = parts.filter((part) => !completeOnly.includes(part));
  return everyday.flatMap((part) => {
    const shards = runs.filter((run) => run.parts.includes(part)).map(({ shard }) => shard);
    if (shards.includes(null)) return [];
    const count = Number(shards[0]?.split('/')[1] ?? 1);
    const shares = Array.from({ length: count }, (_none, at) => `${at + 1}/${count}`);
    return shares.filter((share) => !shards.includes(share)).map((share) => `${part} ${share}`);
  });
}
