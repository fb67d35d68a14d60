import { z } from 'zod';
import type { World } from '../world.ts';
import { parseBody } from './sale.ts';
import type { Terminal } from './terminals/terminals.ts';
import { GatewayProblem, success } from './wire.ts';

/** The file by which Apple recognizes the host of a pay page. The provider sends it to the operator. */
export const DOMAIN_ASSOCIATION = `${Buffer.from(
  JSON.stringify({ version: 1, pspId: 'SANDBOX', createdOn: 1_700_000_000_000 }),
).toString('hex')}\n`;

const Registration = z.object({ domainNames: z.array(z.string().min(1)).min(1) });

const domainsOf = (world: World, { merchant_id, hub_id }: Terminal) =>
  success('merchant-domains', {
    payloadType: 'merchant-domains',
    'merchant-domains': world.store
      .all<{ domain: string }>('SELECT domain FROM apple_domains WHERE merchant_id = ? ORDER BY domain', merchant_id)
      .map(({ domain }) => ({
        domain,
        isEnabled: world.settings(hub_id).apple_domains === 'enabled',
        merchantId: merchant_id,
      })),
  });

export const listDomains = domainsOf;

/** Registers hosts of pay pages for the merchant of the API key. */
export function registerDomains(world: World, terminal: Terminal, body: unknown) {
  const { domainNames } = parseBody(Registration, body);
  if (world.settings(terminal.hub_id).apple_domains === 'refused')
    throw new GatewayProblem(400, '041', 'Apple could not verify the domain');
  for (const domain of domainNames)
    world.store.run(
      'INSERT OR IGNORE INTO apple_domains (merchant_id, domain) VALUES (?, ?)',
      terminal.merchant_id,
      domain,
    );
  return domainsOf(world, terminal);
}

/** Removes hosts. Unknown ones are ignored. */
export function removeDomains(world: World, terminal: Terminal, body: unknown) {
  const { domainNames } = parseBody(Registration, body);
  for (const domain of domainNames)
    world.store.run('DELETE FROM apple_domains WHERE merchant_id = ? AND domain = ?', terminal.merchant_id, domain);
  return domainsOf(world, terminal);
}
