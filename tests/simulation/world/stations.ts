import type { CrmFault, CrmModel } from '../crm/crm.ts';
import { crmFaults } from '../crm/crm.ts';
import type { Station } from '../engine/network.ts';
import { CALLS, type Call, type Fault, faultsOf } from '../gateway/faults.ts';
import type { GatewayModel } from '../gateway/truth.ts';
import { type MailFault, type MailModel, mailFaults } from '../mail/mail.ts';
import type { WireRequest } from '../vendor.ts';

/** The three vendors with the kinds of their calls and the faults of each kind. */

const GATEWAY_CALLS: [method: string, path: RegExp, call: Call][] = [
  ['POST', /\/mobile\/transactions\/sale$/, 'sale'],
  ['POST', /\/terminal\/transactions\/sale$/, 'terminal-sale'],
  ['POST', /\/ach\/mobile\/transactions\/debit$/, 'ach-sale'],
  ['GET', /\/ach\/transactions$/, 'ach-find'],
  ['GET', /\/v2\/transactions$/, 'find'],
  ['GET', /\/batches$/, 'batches'],
  ['PUT', /\/batches\/open$/, 'close'],
  ['GET', /\/batches\/open$/, 'open-batch'],
  ['GET', /\/settings\/terminal$/, 'settings'],
  ['POST', /\/mobilejwt\/manual$/, 'token'],
];

function gatewayCall({ method, url, body }: WireRequest): string {
  const route = GATEWAY_CALLS.find(([verb, path]) => verb === method && path.test(url.pathname));
  if (route) return route[2];
  const isReversal = method === 'POST' && /\/v2\/transactions$/.test(url.pathname);
  const type = /"type":\s*"(VOID|REFUND)"/.exec(body)?.[1];
  return isReversal && type ? type.toLowerCase() : 'another';
}

const isCall = (call: string): call is Call => (CALLS as readonly string[]).includes(call);

export const gatewayStation = (model: GatewayModel): Station => ({
  name: 'gateway',
  model,
  callOf: gatewayCall,
  faultsOf: (call) => (isCall(call) ? faultsOf(call) : []),
  arm: (call, fault) => model.faults.add(call as Call, fault as Fault),
});

export const crmStation = (model: CrmModel): Station => ({
  name: 'crm',
  model,
  callOf: ({ url }) => (/\/token$/.test(url.pathname) ? 'tokens' : 'records'),
  faultsOf: () => crmFaults,
  arm: (call, fault) => model.fail(call as 'tokens' | 'records', fault as CrmFault, { calls: 1 }),
});

export const mailStation = (model: MailModel): Station => ({
  name: 'mail',
  model,
  callOf: () => 'mails',
  faultsOf: () => mailFaults,
  arm: (_call, fault) => model.fail(fault as MailFault, { calls: 1 }),
});
