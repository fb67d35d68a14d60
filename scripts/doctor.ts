import { existsSync } from 'node:fs';
import { readEnv } from '#worker/env';
import { asking } from './going-live/ask-database.ts';
import { checkAccount } from './going-live/check-account.ts';
import { checkKeys } from './going-live/check-keys.ts';
import { checkLive } from './going-live/check-live.ts';
import { checkOutside } from './going-live/check-outside.ts';
import { checkTransport } from './going-live/check-transport.ts';
import { checkTree } from './going-live/check-tree.ts';
import type { Finding } from './going-live/finding.ts';
import { PRODUCTION_FILE, readProduction } from './going-live/read-production.ts';
import { sendTestAlert } from './going-live/send-test-alert.ts';
import { readLocal } from './local/settings.ts';

/**
 * `npm run doctor`: checks everything that docs/deploy.md asks for and lists problems, step by step. It changes
 * nothing and prints no secret. Exits with 1 while any check fails. With `--alert` it only sends one test alert, without
 * a file of settings from the local product.
 */
const file = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
if (process.argv.includes('--alert')) {
  const isLocal = !file && !existsSync(PRODUCTION_FILE);
  const { settings } = isLocal ? { settings: readEnv(readLocal(process.env).vars) } : readProduction(file);
  const told = settings ? await sendTestAlert(settings, Date.now()) : [];
  say('Alerts', told);
  process.exit(told.length > 0 && told.every(({ state }) => state === 'ok') ? 0 : 1);
}
const { vars, settings, findings } = readProduction(file);
say('Settings', findings);
const tree = checkTree(settings);
say('This folder', tree);
const account = checkAccount(Object.keys(vars));
say('Cloudflare', account);
const keys = settings ? await checkKeys(settings, asking(['--remote', '-c', 'wrangler.toml']), Date.now()) : [];
say('Keys', keys);
const outside = settings ? await checkOutside(settings) : [];
say('CRM, cards and mail', outside);
const live = settings ? [...(await checkLive(settings)), ...(await checkTransport(settings))] : [];
say('The installation', live);

const bad = [...findings, ...tree, ...account, ...keys, ...outside, ...live].filter(
  ({ state }) => state === 'missing' || state === 'wrong',
);
// The hook comes last because it needs a deployed Worker.
const first = bad.find(({ what }) => what !== 'DEPLOY_HOOK_URL') ?? bad[0];
console.log(first ? `\n${bad.length} to do; start with ${first.what}` : '\nEverything is in place.');
process.exitCode = bad.length === 0 ? 0 : 1;

function say(part: string, some: Finding[]): void {
  console.log(`\n${part}`);
  if (some.length === 0) console.log('  not checked: the settings are not complete');
  for (const { what, state, say: words } of some) {
    console.log(`  ${state.padEnd(11)} ${what}${words ? `: ${words}` : ''}`);
  }
}
