import { checkAccount } from './going-live/check-account.ts';
import { checkKeys, readAllKeys } from './going-live/check-keys.ts';
import { checkLive } from './going-live/check-live.ts';
import { checkOutside } from './going-live/check-outside.ts';
import { checkTransport } from './going-live/check-transport.ts';
import { checkTree } from './going-live/check-tree.ts';
import type { Finding } from './going-live/finding.ts';
import { readProduction } from './going-live/read-production.ts';
import { callsOf, placeIn } from './operate/calls.ts';

/**
 * `npm run doctor`: checks everything that docs/deploy.md asks for and lists problems, step by step. It changes
 * nothing and prints no secret. Exits with 1 while any check fails.
 */
const { vars, settings, findings } = readProduction(process.argv[2]);
say('Settings', findings);
const tree = checkTree(settings);
say('This folder', tree);
const account = checkAccount(Object.keys(vars));
say('Cloudflare', account);
const keys = settings ? await checkKeys(settings, () => readAllKeys(callsOf(placeIn(settings))), Date.now()) : [];
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
