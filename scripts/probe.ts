import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEnv, type Settings } from '#worker/env';
import { asking } from './going-live/ask-database.ts';
import { VENDORS, type Vendor } from './going-live/check-road.ts';
import type { Parts } from './going-live/environment-file.ts';
import { type EnvironmentName, readArguments } from './going-live/environment-name.ts';
import { liveBranch } from './going-live/live-branch.ts';
import { applyMigrations } from './going-live/migrations.ts';
import { readEnvironment } from './going-live/read-environment.ts';
import { sampleFile } from './going-live/sample-file.ts';
import { writeAccountConfig } from './going-live/worker-config.ts';
import { run } from './local/processes.ts';
import { readLocal } from './local/settings.ts';
import { type Account, cloudflareQuestions } from './probe/cloudflare.ts';
import { gatewayQuestions } from './probe/gateway.ts';
import { hubspotQuestions } from './probe/hubspot.ts';
import { localGiven } from './probe/local-given.ts';
import { mailQuestions } from './probe/mail.ts';
import { placeOf } from './probe/place.ts';
import { talkTo } from './probe/talk.ts';
import { askAll, transcript } from './probe/transcript.ts';

/**
 * `npm run probe -- hubspot | gateway | mail | cloudflare [--to local | staging | production] [--write]`: asks a vendor what
 * its documents leave open, and prints a transcript without secrets for docs/probes/, which says of each answer what
 * follows. It changes nothing without `--write`, and writes into test accounts alone.
 */
try {
  const { name, flags, rest } = readArguments(process.argv.slice(2), ['--write']);
  const vendor = VENDORS.find((one) => one === rest[0]);
  if (!vendor || rest.length > 1) throw new Error(`name one of ${VENDORS.join(', ')}`);
  if (flags.has('--write') && name === 'production')
    throw new Error('--write is for test accounts: --to staging or local');
  await probe(vendor, name, flags.has('--write'));
} catch (cause) {
  console.error(`probe: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
}

async function probe(vendor: Vendor, name: EnvironmentName, mayWrite: boolean): Promise<void> {
  const { settings, parts, vars } = settingsOf(name);
  const given = { ...vars, ...process.env, ...(name === 'local' ? await localGiven(vendor, settings) : {}) };
  const questions = {
    hubspot: hubspotQuestions,
    gateway: gatewayQuestions,
    mail: mailQuestions,
    cloudflare: cloudflareQuestions(accountOf(name, parts, settings)),
  }[vendor];
  const all = await askAll(questions, talkTo(placeOf(vendor, settings, given)), mayWrite);
  const secrets = Object.entries(given).filter(([key]) => /KEY|SECRET|TOKEN|CODE|HOOK|WEBHOOK/.test(key));
  const day = new Date().toISOString().slice(0, 10);
  console.log(
    transcript(
      vendor,
      day,
      all,
      secrets.map(([, value]) => value ?? ''),
    ),
  );
}

function settingsOf(name: EnvironmentName): { settings: Settings; parts: Parts; vars: Record<string, string> } {
  if (name === 'local') {
    const { vars } = readLocal(process.env);
    return { settings: readEnv(vars), parts: sampleFile, vars };
  }
  const { settings, file, vars } = readEnvironment(name);
  if (!settings || !file)
    throw new Error(`${name} is not complete; npm run doctor -- --to ${name} lists what is missing`);
  return { settings, parts: file, vars };
}

function accountOf(name: EnvironmentName, parts: Parts, { APP_URL, DEPLOY_HOOK_URL }: Settings): Account {
  return {
    async tryMigrations() {
      const work = mkdtempSync(path.join(tmpdir(), 'tillway-probe-'));
      const isLocal = name === 'local';
      const database = `tillway-probe-${Date.now()}`;
      try {
        const id = isLocal ? parts.database.id : await makeDatabase(database);
        const config = await writeAccountConfig({ ...parts, database: { name: database, id } }, APP_URL, work);
        const place = [...(isLocal ? ['--local', '--persist-to', work] : ['--remote']), '-c', config];
        const execute = (file: string) =>
          run('wrangler', ['d1', 'execute', 'INSTALLATION', '--file', file, '--yes', ...place]);
        return (await applyMigrations(asking(place), execute, work, { together: isLocal })).length;
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
  if (!id) throw new Error(`wrangler named no id of the database ${name}; delete it by hand`);
  return id;
}
