import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { VENDORS, type Vendor } from './going-live/check-go-live.ts';
import { type EnvironmentName, type Parts, readArguments } from './going-live/environment-file.ts';
import { writeAccountConfig } from './going-live/installation-config.ts';
import { liveBranch } from './going-live/live-version.ts';
import { applyMigrations, makeAsk } from './going-live/remote-database.ts';
import { run } from './local/processes.ts';
import { type Account, cloudflareQuestions } from './probe/cloudflare.ts';
import { gatewayQuestions } from './probe/gateway.ts';
import { hubspotQuestions } from './probe/hubspot.ts';
import { mailQuestions } from './probe/mail.ts';
import { inputFor, type ProbeInput, requireTestAccount } from './probe/probe-input.ts';
import { askAll, transcript } from './probe/question.ts';
import { placeOf, talkTo } from './probe/talk.ts';

/**
 * `npm run probe -- hubspot | gateway | mail | cloudflare [--to local | staging | production] [--write]`: calls a
 * vendor to answer questions that its documents leave open, and prints a transcript for docs/probes/ without secrets,
 * with the consequence of each answer. It changes nothing without `--write`, and writes only into test accounts. It
 * needs no settings file, only a key of the vendor.
 */
try {
  const { name, flags, rest } = readArguments(process.argv.slice(2), ['--write']);
  const vendor = VENDORS.find((known) => known === rest[0]);
  if (!vendor || rest.length > 1) throw new Error(`choose one of ${VENDORS.join(', ')}`);
  await probe(vendor, name, flags.has('--write'));
} catch (cause) {
  console.error(`probe: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
}

async function probe(vendor: Vendor, name: EnvironmentName, mayWrite: boolean): Promise<void> {
  const { values, parts } = await inputFor(name, vendor, process.env);
  const place = placeOf(vendor, values);
  if (mayWrite) await requireTestAccount(name, vendor, place);
  const questions = {
    hubspot: hubspotQuestions,
    gateway: gatewayQuestions,
    mail: mailQuestions,
    cloudflare: cloudflareQuestions(accountOf(name, parts, values)),
  }[vendor];
  const answers = await askAll(questions, talkTo(place), mayWrite);
  const secrets = Object.entries(values).filter(([key]) => /KEY|SECRET|TOKEN|CODE|HOOK|WEBHOOK/.test(key));
  const day = new Date().toISOString().slice(0, 10);
  console.log(
    transcript(
      vendor,
      day,
      answers,
      secrets.map(([, value]) => value ?? ''),
    ),
  );
}

function accountOf(name: EnvironmentName, parts: Parts, { APP_URL, DEPLOY_HOOK_URL }: ProbeInput['values']): Account {
  return {
    async tryMigrations() {
      const work = mkdtempSync(path.join(tmpdir(), 'tillway-probe-'));
      const isLocal = name === 'local';
      const database = `tillway-probe-${Date.now()}`;
      try {
        const id = isLocal ? parts.database.id : await makeDatabase(database);
        const config = await writeAccountConfig(
          { ...parts, database: { name: database, id } },
          APP_URL || 'https://probe.example',
          work,
        );
        const place = [...(isLocal ? ['--local', '--persist-to', work] : ['--remote']), '-c', config];
        const execute = (file: string) =>
          run('wrangler', ['d1', 'execute', 'INSTALLATION', '--file', file, '--yes', ...place]);
        return (await applyMigrations(makeAsk(place), execute, work, { together: isLocal })).length;
      } finally {
        if (!isLocal) await run('wrangler', ['d1', 'delete', database, '--skip-confirmation']);
        rmSync(work, { recursive: true });
      }
    },
    liveHead() {
      if (name === 'local') return '';
      const { stdout } = spawnSync('git', ['ls-remote', 'origin', liveBranch(name)], { encoding: 'utf8' });
      return stdout?.split('\t')[0] ?? '';
    },
    askForBuild: async () => (DEPLOY_HOOK_URL ? (await fetch(DEPLOY_HOOK_URL, { method: 'POST' })).json() : null),
  };
}

async function makeDatabase(name: string): Promise<string> {
  const lines: string[] = [];
  await run('wrangler', ['d1', 'create', name], {}, (line) => void lines.push(line));
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(lines.join('\n'))?.[0];
  if (!id) throw new Error(`wrangler printed no id for the database ${name}; delete it by hand`);
  return id;
}
