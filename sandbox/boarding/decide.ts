import { boarding } from '../credentials.ts';
import { listTerminals } from '../gateway/terminals/terminals.ts';
import { sentWebhooks, type Webhooks } from '../webhooks.ts';
import type { World } from '../world.ts';
import { type Application, applicationUrl, type Status, setStatus } from './applications.ts';
import { provisionTerminals } from './provision.ts';

/** Steps of an application: the label of the button and the event name in the webhook. */
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

/** The path that a fault names to strike the provider's boarding. */
const WIRE_PATH = `/api/launchIntegratorSetup/v1.0/integrateMerchant/${boarding.hierarchyNodeKey}`;

/** Steps may come in any order and repeat, because the product must cope with that. Unsigned, like the vendor's. */
export async function decide(world: World, webhooks: Webhooks, application: Application, action: Action) {
  const { event } = actions[action];
  setStatus(world, application, event);
  const payload = action === 'board' ? { terminals: provisionTerminals(world, application) } : {};
  await webhooks.send({
    kind: 'boarding',
    about: application.merchant_number,
    event,
    text: JSON.stringify({ event, merchantId: application.merchant_number, payload }),
    wirePath: WIRE_PATH,
    account: application.hub_id,
  });
}

/** One application as the control calls show it. */
export const describe = (world: World, application: Application) => ({
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
