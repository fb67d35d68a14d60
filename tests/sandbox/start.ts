import { afterAll } from 'vitest';
import { crmApp, type HubCredentials, hubs, type TerminalCredentials, terminals } from '#sandbox/credentials';
import { type ListeningSandbox, listenSandbox } from '#sandbox/listen';

export const online = terminals.find((terminal) => terminal.channel === 'ecommerce') as TerminalCredentials;
export const frontDesk = terminals.find((terminal) => terminal.channel === 'counter') as TerminalCredentials;
export const secondDesk = terminals.findLast((terminal) => terminal.channel === 'counter') as TerminalCredentials;
export const [dental, physio, vet] = hubs;

export const CARD = { approved: '4111111111111111', declined: '4000000000000002', fails: '4000000000000119' } as const;

export type Answer<T = never> = { status: number; headers: Headers; text: string; json: T };
export type Envelope = {
  code: string;
  status: string;
  page?: Record<string, unknown>;
  payload: {
    payloadType: string;
    transaction?: Record<string, string | boolean>;
    error?: Record<string, string>;
    'mobile-jwt'?: { jwt: string; 'last-four': string };
    batch?: Batch;
    batches?: { batch: Batch[] };
    transactions?: { transaction: Record<string, string | boolean>[] };
    'ach-transactions'?: { 'ach-transaction': Record<string, string>[] };
  };
};
export type Batch = Record<string, string>;
export type Charge = {
  id: string;
  type: string;
  result: string;
  amount: string;
  order_id: string;
  invoice: string;
  terminal_id: string;
  batch_id: string | null;
  at: string;
};

export type Device = {
  terminal_id: string;
  online: boolean;
  waiting: { amount: string; order_id: string; invoice: string; since: string } | null;
};

/** A world for one test file, in memory and removed afterwards. Inside a test, `onTestFinished` ends it. */
export async function startSandbox(onEnd: (close: () => Promise<void>) => void = afterAll) {
  const listening = await listenSandbox({ file: ':memory:', port: 0, productUrl: 'http://localhost:8787' });
  onEnd(() => listening.close());
  return createClient(listening);
}

function createClient({ url }: ListeningSandbox) {
  async function call<T>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
    const response = await fetch(url + path, { redirect: 'manual', ...init });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: (isJson ? safeParse(text) : undefined) as T,
    };
  }
  const post = <T>(path: string, body: unknown, headers: Record<string, string> = {}) =>
    call<T>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const control = async <T>(path: string, body: unknown) => {
    const answer = await post<T>(`/_sandbox/${path}`, body);
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const get = <T>(path: string, headers: Record<string, string> = {}) => call<T>(path, { headers });

  const token = (form: Record<string, string>, version = '2026-09') =>
    call<Record<string, string> & { scopes?: string[] }>(`/oauth/${version}/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: crmApp.clientId, client_secret: crmApp.clientSecret, ...form }),
    });
  const accessToken = async (hub: HubCredentials, access: 'read' | 'write' = 'read') => {
    const answer = await token({
      grant_type: 'refresh_token',
      refresh_token: access === 'read' ? hub.refreshToken : hub.writerRefreshToken,
    });
    return answer.json.access_token ?? '';
  };
  const crm = async (hub: HubCredentials, access: 'read' | 'write' = 'read') => {
    const authorization = `Bearer ${await accessToken(hub, access)}`;
    return {
      get: <T>(path: string) => get<T>(path, { authorization }),
      post: <T>(path: string, body: unknown) => post<T>(path, body, { authorization }),
      patch: <T>(path: string, body: unknown) =>
        call<T>(path, {
          method: 'PATCH',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      delete: (path: string) => call(path, { method: 'DELETE', headers: { authorization } }),
    };
  };

  const cardToken = (card: string, fields: Record<string, string> = {}, publicKey = online.publicKey) =>
    post<Envelope>(
      '/rest/v2/mobilejwt/manual',
      { card, 'exp-date': '1249', csc: '999', ...fields },
      { 'public-key': publicKey },
    );
  const jwt = async (card: string = CARD.approved, publicKey = online.publicKey) => {
    const answer = await cardToken(card, {}, publicKey);
    return answer.json.payload['mobile-jwt']?.jwt ?? '';
  };
  const sale = (mobilejwt: string, body: Record<string, unknown>, apiKey = online.apiKey) =>
    post<Envelope>(
      '/rest/v2/mobile/transactions/sale',
      { type: 'SALE', amount: '184.00', 'software-type': 'test', 'software-type-version': '1', ...body },
      { 'api-key': apiKey, mobilejwt },
    );
  const put = <T = Envelope>(path: string, apiKey = online.apiKey) =>
    call<T>(path, { method: 'PUT', headers: { 'api-key': apiKey, 'content-type': 'application/json' }, body: '{}' });
  /** Makes a sale on a counter terminal. Returns when the device is done with it. */
  const terminalSale = (body: Record<string, unknown>, { apiKey } = frontDesk, init: RequestInit = {}) =>
    call<Envelope>('/rest/v2/terminal/transactions/sale', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': apiKey },
      body: JSON.stringify({ amount: '20.00', 'software-type': 'test', 'software-type-version': '1', ...body }),
      ...init,
    });
  const touch = (action: string, { terminalId } = frontDesk, fields: Record<string, string> = {}) =>
    post<Device & { error?: string }>(`/_sandbox/terminals/${terminalId}`, { do: action, ...fields });
  const gateway = <T = Envelope>(path: string, apiKey = online.apiKey) => get<T>(path, { 'api-key': apiKey });
  const charges = async (query: string) => (await get<Charge[]>(`/_sandbox/charges?${query}`)).json;

  return {
    url,
    call,
    get,
    post,
    put,
    control,
    token,
    accessToken,
    crm,
    cardToken,
    jwt,
    sale,
    terminalSale,
    touch,
    gateway,
    charges,
  };
}

function safeParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

let counter = 0;
/** An order id or invoice value that no other test uses. */
export const uniqueName = (name: string) => `${name}-${++counter}-${crypto.randomUUID().slice(0, 8)}`;
