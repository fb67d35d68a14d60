import { crmApp, hubs, terminals } from '#sandbox/credentials';
import { sandboxUrl } from '../unit/own-sandbox.ts';

export { sandboxUrl };

const post = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Calls a control route of the sandbox: GET without a body; with a body, POST or the given method. */
export const control = async <T>(call: string, body?: unknown, method = 'POST'): Promise<T> =>
  read(await fetch(`${sandboxUrl()}/_sandbox/${call}`, body === undefined ? {} : { ...post(body), method }));

export const clearFaults = async (): Promise<unknown> =>
  read(await fetch(`${sandboxUrl()}/_sandbox/faults`, { method: 'DELETE' }));

const [account] = hubs;

/** Makes an invoice, by default in the first account. Returns its id. */
export async function newInvoice(
  fields: Record<string, unknown> = {},
  accountId: number = account.hubId,
): Promise<string> {
  const { ids } = await control<{ ids: string[] }>(`hubs/${accountId}/invoices`, { amount: '184.00', ...fields });
  return String(ids[0]);
}

/** Record ids that both of the first two accounts use for an invoice. */
export async function sharedInvoiceIds(): Promise<string[]> {
  const idsOf = async (hub: (typeof hubs)[number]) => {
    const page = await callCrm<{ results: { id: string }[] }>(hub, 'GET', '/crm/objects/2026-09/invoices?limit=100');
    return page.results.map(({ id }) => id);
  };
  const secondIds = new Set(await idsOf(hubs[1]));
  return (await idsOf(account)).filter((id) => secondIds.has(id));
}

/** Repeats `make` until the second account has no invoice under the record id. */
export async function makeForOneAccount<T>(make: () => Promise<T>, idOf: (record: T) => string): Promise<T> {
  for (;;) {
    const record = await make();
    const request = callCrm(hubs[1], 'GET', `/crm/objects/2026-09/invoices/${idOf(record)}`);
    if (!(await request.then(Boolean, () => false))) return record;
  }
}

/** Makes an invoice whose record id the second account does not use. */
export const newInvoiceOfOneAccount = () => makeForOneAccount(newInvoice, String);

/** Calls the CRM's API with write access, by default in the first account. */
export const writeCrm = <T>(
  method: string,
  path: string,
  body?: unknown,
  hub: (typeof hubs)[number] = account,
): Promise<T> => callCrm(hub, method, path, body);

async function callCrm<T>(hub: (typeof hubs)[number], method: string, path: string, body?: unknown): Promise<T> {
  const grant = await read<{ access_token: string }>(
    await fetch(`${sandboxUrl()}/oauth/2026-09/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: crmApp.clientId,
        client_secret: crmApp.clientSecret,
        refresh_token: hub.writerRefreshToken,
      }).toString(),
    }),
  );
  const init = body === undefined ? {} : post(body);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${grant.access_token}` };
  return read(await fetch(`${sandboxUrl()}${path}`, { ...init, method, headers }));
}

export const onlineTerminal = () => {
  const terminal = terminals.find(({ channel }) => channel === 'ecommerce');
  if (!terminal) throw new Error('the sandbox has no online terminal');
  return terminal;
};

/** Gets a card token the way the provider's frame does. */
export async function cardToken(card = '4111111111111111'): Promise<string> {
  const { payload } = await read<{ payload: { 'mobile-jwt': { jwt: string } } }>(
    await fetch(
      `${sandboxUrl()}/rest/v2/mobilejwt/manual`,
      post(
        { card, 'exp-date': '1249', csc: '999', 'software-type': 't', 'software-type-version': '1' },
        { 'public-key': onlineTerminal().publicKey },
      ),
    ),
  );
  return payload['mobile-jwt'].jwt;
}

export const bankToken = async (account = '000123456789'): Promise<string> => (await bankTokenObject(account)).jwt;

/** Gets the full token object that the provider's frame passes to the page. */
export async function bankTokenObject(account = '000123456789') {
  const { payload } = await read<{ payload: { 'mobile-jwt': { jwt: string; 'account-type': string } } }>(
    await fetch(
      `${sandboxUrl()}/rest/v2/mobilejwt/ach`,
      post(
        {
          'routing-number': '021000021',
          'account-number': account,
          'account-type': 'Checking',
          'individual-name': 'Marta Núñez',
        },
        { 'public-key': onlineTerminal().publicKey },
      ),
    ),
  );
  return payload['mobile-jwt'];
}

/** A counter terminal of the first account. */
export const counterTerminal = (index = 0) => {
  const terminal = terminals.filter(({ channel }) => channel === 'counter')[index];
  if (!terminal) throw new Error('the sandbox has no such counter terminal');
  return terminal;
};

/** Acts at the device as a person does: tap, decline, cancel, offline, online, cut. */
export const touch = async (action: string, { terminalId } = counterTerminal()): Promise<unknown> =>
  control(`terminals/${terminalId}`, { do: action });
