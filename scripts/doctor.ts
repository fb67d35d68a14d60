import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEnv } from '#worker/env';
import { checkAccount } from './going-live/check-account.ts';
import { checkRegistrations } from './going-live/check-apple-pay.ts';
import { checkGoLive, type GoLiveFacts, VENDORS } from './going-live/check-go-live.ts';
import { checkKeys } from './going-live/check-keys.ts';
import { checkLive } from './going-live/check-live.ts';
import { checkOperator } from './going-live/check-operator.ts';
import { checkOutside, checkTransport } from './going-live/check-outside.ts';
import { checkTree } from './going-live/check-tree.ts';
import { fileOf, type RemoteName, readArguments } from './going-live/environment-file.ts';
import { type Finding, isToDo } from './going-live/finding.ts';
import { writeAccountConfig } from './going-live/installation-config.ts';
import { liveCommitAt, ownCommit } from './going-live/live-version.ts';
import { readEnvironment } from './going-live/read-environment.ts';
import { makeAsk, migrationFiles } from './going-live/remote-database.ts';
import { sendTestAlert } from './going-live/send-test-alert.ts';
import { readLocal } from './local/settings.ts';

/**
 * `npm run doctor -- [--to local | staging | production] [--alert]`: checks everything that docs/deploy.md requires and
 * lists problems, step by step. It changes nothing and prints no secret. Exits with 1 while any check fails. With
 * `--alert` it only sends one test alert; without a settings file, it uses the settings of the local product.
 */
const allFindings: Finding[] = [];
try {
  const { name, flags, rest } = readArguments(process.argv.slice(2), ['--alert']);
  if (rest.length > 0) throw new Error(`unknown argument ${rest.join(' ')}; choose an environment by --to`);
  if (flags.has('--alert')) await checkAlerts(name === 'local' || !existsSync(fileOf(name)) ? null : name);
  else if (name === 'local') await checkLocal();
  else await checkRemote(name);
  printSummary();
} catch (cause) {
  console.error(`doctor: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
}

async function checkAlerts(name: RemoteName | null): Promise<void> {
  const settings = name ? readEnvironment(name).settings : readEnv(readLocal(process.env).vars);
  print('Alerts', settings ? await sendTestAlert(settings, Date.now()) : []);
}

/** The product of `npm start` and its simulated vendors. */
async function checkLocal(): Promise<void> {
  const settings = readEnv(readLocal(process.env).vars);
  print('This folder', checkTree(settings));
  print('CRM, cards and mail', await checkOutside(settings));
  print('The installation', await checkLive(settings));
}

async function checkRemote(name: RemoteName): Promise<void> {
  const environment = readEnvironment(name);
  const { file, words, settings, vars, findings } = environment;
  const today = new Date().toISOString().slice(0, 10);
  print('Settings', findings);
  print('The operator’s words', checkOperator(name, words, today));
  print('This folder', checkTree(settings));
  const work = mkdtempSync(path.join(tmpdir(), 'tillway-doctor-'));
  try {
    const config = file && settings ? await writeAccountConfig(file, settings.APP_URL, work) : null;
    const place = file && config && { parts: file, config, names: Object.keys(vars), migrations: migrationFiles() };
    print('Cloudflare', place ? checkAccount(place) : []);
    const ask = config === null ? null : makeAsk(['--remote', '-c', config]);
    print('Keys', settings && ask ? await checkKeys(settings, ask, Date.now()) : []);
    print('Wallets', ask ? await checkRegistrations(ask) : []);
  } finally {
    rmSync(work, { recursive: true });
  }
  print('CRM, cards and mail', settings ? await checkOutside(settings) : []);
  print('The installation', settings ? [...(await checkLive(settings)), ...(await checkTransport(settings))] : []);
  if (name === 'production') {
    const staging = existsSync(fileOf('staging')) ? readEnvironment('staging') : null;
    const stagingCommit = staging?.settings ? await liveCommitAt(staging.settings.APP_URL) : '';
    const facts = { probes: probesIn('docs/probes'), today, stagingCommit, commit: ownCommit(process.env) };
    print('From the sandbox to real cards', checkGoLive(environment, staging, facts));
  }
}

/** The newest transcript of each vendor, by file names such as hubspot-2026-01-31.md. */
function probesIn(folder: string): GoLiveFacts['probes'] {
  const files = globSync(`${folder}/*.md`).map((file) => path.basename(file, '.md'));
  const newest = VENDORS.flatMap((vendor) => {
    const days = files.filter((file) => file.startsWith(`${vendor}-`)).map((file) => file.slice(vendor.length + 1));
    return days.length === 0 ? [] : [[vendor, days.sort().at(-1)]];
  });
  return Object.fromEntries(newest);
}

function print(part: string, findings: Finding[]): void {
  allFindings.push(...findings);
  console.log(`\n${part}`);
  if (findings.length === 0) console.log('  not checked: the settings are not complete');
  for (const { label, state, detail } of findings) {
    console.log(`  ${state.padEnd(11)} ${label}${detail ? `: ${detail}` : ''}`);
  }
}

function printSummary(): void {
  const bad = allFindings.filter(isToDo);
  // The hook comes last because it needs a deployed Worker.
  const first = bad.find(({ label }) => label !== 'DEPLOY_HOOK_URL') ?? bad[0];
  const external = bad.filter(({ state }) => state === 'account').length;
  const rest = external === 0 ? '' : `, ${external} of them with an external account`;
  console.log(first ? `\n${bad.length} to do${rest}; start with ${first.label}` : '\nEverything is in place.');
  process.exitCode = bad.length === 0 && allFindings.length > 0 ? 0 : 1;
}
