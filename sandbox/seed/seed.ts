import { seedApplications } from '../boarding/applications.ts';
import { hubs } from '../credentials.ts';
import { seedGrants } from '../crm/oauth-tokens.ts';
import { seedTerminals } from '../gateway/terminals/terminals.ts';
import { defaultSettings, type World } from '../world.ts';
import { seedCrm } from './crm-seed.ts';
import { seedGateway } from './gateway-seed.ts';

/** Seeds a state folder on its first start; later starts only add missing applications. */
export function seedOnce(world: World) {
  if (world.store.meta('seeded') !== undefined) return seedApplications(world);
  world.store.transaction(() => seedAll(world));
}

const CLEARED_TABLES = [
  'records',
  'associations',
  'transactions',
  'batches',
  'mails',
  'mail_news',
  'suppressions',
  'operator_alerts',
  'card_tokens',
  'apple_domains',
  'terminal_sales',
  'ach_moves',
  'applications',
  'terminal_keys',
  'webhooks',
  'webhook_attempts',
];

/**
 * Seeds the world again, with record, transaction and batch ids that have never been used. Grants stay, so a
 * connected product stays connected. Seeded terminals and applications return to their initial state; later ones are
 * deleted. `at` is the time (UTC ms) to which the sandbox's clock is set.
 */
export function reset(world: World, at = Date.now()) {
  world.addSeconds((at - world.now()) / 1000);
  world.changeSettings(defaultSettings);
  for (const { hubId } of hubs) world.changeAccount(hubId, null);
  world.faults.clear();
  world.requests.clear();
  world.store.transaction(() => {
    for (const table of CLEARED_TABLES) world.store.run(`DELETE FROM ${table}`);
    seedAll(world);
  });
}

function seedAll(world: World) {
  seedGrants(world);
  seedTerminals(world);
  seedApplications(world);
  seedCrm(world);
  seedGateway(world);
  world.store.setMeta('seeded', new Date(world.now()).toISOString());
}
