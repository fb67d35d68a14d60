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

/** An action by the full hash of a commit: a tag can be moved to other code. The version is for people. */
const PINNED = /^\s*(?:- )?uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

const SHARD = /\$\{\{ matrix\.shard \}\}/;

/** Each command of a job, as many times as its matrix asks for it. */
const commandsOf = ({ steps = [], strategy }: Job): string[] => {
  const shards = strategy?.matrix?.shard ?? [''];
  const lines = steps.flatMap(({ run = '' }) => run.split('\n'));
  return lines.flatMap((line) => [...new Set(shards.map((shard) => line.replace(SHARD, shard)))]);
};

const jobsOf = (text: string): [name: string, job: Job][] => Object.entries((parse(text) as Workflow).jobs ?? {});

/** The faults of one workflow. `scripts` are those of package.json. */
export function problemsOf(text: string, scripts: Record<string, string>): string[] {
  const { on, permissions, concurrency } = parse(text) as Workflow;
  const found: string[] = [];
  for (const line of text.split('\n'))
    if (/\buses:/.test(line) && !PINNED.test(line)) found.push(`not pinned by hash and version: ${line.trim()}`);
  if (JSON.stringify(permissions) !== '{"contents":"read"}') found.push('permissions are not contents: read alone');
  if (!concurrency?.['cancel-in-progress']) found.push('an older run is not cancelled');
  if (on && 'pull_request_target' in on) found.push('pull_request_target gives strangers’ code our rights');
  for (const [name, job] of jobsOf(text)) {
    if (job.permissions !== undefined) found.push(`${name} has permissions of its own`);
    if (!job['timeout-minutes']) found.push(`${name} has no timeout`);
    for (const { uses, with: given } of job.steps ?? [])
      if (uses?.startsWith('actions/checkout@') && given?.['persist-credentials'] !== false)
        found.push(`${name} leaves the token of the checkout on the disk`);
    for (const command of commandsOf(job)) found.push(...problemsOfCommand(command, scripts));
  }
  return found;
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

/** The arguments of `npm test`, understood as scripts/test.ts understands them. */
function wordsOf(command: string) {
  const [, words] = /^npm test(?: --)?(.*)$/.exec(command) ?? [];
  return words === undefined ? null : readArguments(words.split(' ').filter(Boolean), () => []);
}

/** The parts of `npm test` that no job of a workflow runs, as `unit 1/1`, or the share of one. */
export function leftOut(text: string): string[] {
  const commands = jobsOf(text).flatMap(([, job]) => commandsOf(job));
  const asked = commands.flatMap((command) => wordsOf(command) ?? []);
  const everyday = parts.filter((part) => !completeOnly.includes(part));
  return everyday.flatMap((part) => {
    const shards = asked.filter((one) => one.parts.includes(part)).map(({ shard }) => shard);
    if (shards.includes(null)) return [];
    const count = Number(shards[0]?.split('/')[1] ?? 1);
    const wanted = Array.from({ length: count }, (_none, at) => `${at + 1}/${count}`);
    return wanted.filter((share) => !shards.includes(share)).map((share) => `${part} ${share}`);
  });
}
