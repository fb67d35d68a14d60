import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { boarding } from '../credentials.ts';
import { listTerminals } from '../gateway/terminals/terminals.ts';
import { sentWebhooks, type Webhooks } from '../webhooks.ts';
import type { World } from '../world.ts';
import { type Application, applicationUrl, type Status, setStatus } from './applications.ts';

export type BoardedTerminal = { apiKey: string; publicKey: string; name: string };

const NEW_TERMINALS = [
  { name: 'Front desk 1', channel: 'counter' },
  { name: 'Front desk 2', channel: 'counter' },
  { name: 'Online payments', channel: 'ecommerce' },
] as const;

const FIRST_ID = 70_201;

/** Returns the merchant's terminals and their keys, which the first boarding creates. */
export function provisionTerminals(world: World, application: Application): BoardedTerminal[] {
  return world.store.transaction(() => {
    const existingTerminals = readTerminals(world, application);
    if (existingTerminals.length > 0) return existingTerminals;
    for (const terminal of NEW_TERMINALS) addTerminal(world, application, terminal);
    return readTerminals(world, application);
  });
}

const readTerminals = (world: World, application: Application) =>
  world.store
    .all<{ api_key: string; public_key: string; name: string }>(
      'SELECT api_key, public_key, name FROM terminals WHERE merchant_id = ? ORDER BY terminal_id',
      application.merchant_number,
    )
    .map(({ api_key, public_key, name }) => ({ apiKey: api_key, publicKey: public_key, name }));

function addTerminal(world: World, application: Application, terminal: (typeof NEW_TERMINALS)[number]) {
  const terminalId = Number(world.store.meta('next-terminal') ?? FIRST_ID);
  world.store.setMeta('next-terminal', String(terminalId + 1));
  const keys = generateKeyPairSync('ec', {
    namedCurve: 'brainpoolP384t1',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  world.store.run(
    'INSERT INTO terminals (terminal_id, hub_id, merchant_id, name, channel, api_key, public_key) VALUES (?, ?, ?, ?, ?, ?, ?)',
    String(terminalId),
    application.hub_id ?? 0,
    application.merchant_number,
    terminal.name,
    terminal.channel,
    randomBytes(16).toString('hex'),
    keys.publicKey.toString('hex'),
  );
  // The key that signs webhooks about this terminal's transactions.
  world.store.run(
    'INSERT INTO terminal_keys (terminal_id, private_key) VALUES (?, ?)',
    String(terminalId),
    keys.privateKey.toString('hex'),
  );
}

/** Steps of an application, each with the label of its button and the event name in its webhook. */
export const actions = {
  sign: { label: 'Sign', event: 'Signed' },
  pend: { label: 'Pend', event: 'Pended' },
  review: { label: 'Manual review', event: 'Manual Review' },
  approve: { label: 'Approve', event: 'Approved' },
  decline: { label: 'Decline', event: 'Declined' },
  board: { label: 'Board', event: 'Boarded' },
} as const satisfies Record<string, { label: string; event: Status }>;

export type Action = keyof typeof actions;
export const isAction = (name: unknown): name is Action => typeof name === 'string' && Object.hasOwn(actions, name);

/** Path by which a fault selects the boarding webhooks. */
const WIRE_PATH = `/api/launchIntegratorSetup/v1.0/integrateMerchant/${boarding.hierarchyNodeKey}`;

/** Performs a step and sends its unsigned webhook. The product must handle steps that repeat or come in any order. */
export async function performAction(world: World, webhooks: Webhooks, application: Application, action: Action) {
  const { event } = actions[action];
  setStatus(world, application, event);
  const payload = action === 'board' ? { terminals: provisionTerminals(world, application) } : {};
  await webhooks.send({
    kind: 'boarding',
    subjectId: application.merchant_number,
    event,
    text: JSON.stringify({ event, merchantId: application.merchant_number, payload }),
    wirePath: WIRE_PATH,
    account: application.hub_id,
  });
}

/** One application in the form that control calls return. */
export const describeApplication = (world: World, application: Application) => ({
  merchant_number: application.merchant_number,
  hub_id: application.hub_id,
  dba_name: application.dba_name,
  email: application.email,
  mcc_code: application.mcc_code,
  status: application.status,
  application_url: applicationUrl(world, application),
  created_at: new Date(application.created_ms).toISOString(),
  terminals: listTerminals(world)
    .filter((terminal) => terminal.merchant_id === application.merchant_number)
    .map(({ terminal_id, name }) => ({ terminal_id, name })),
  webhooks: sentWebhooks(world, 'boarding', application.merchant_number),
});
