import { frontDesk, online, startSandbox } from '#tests/sandbox/start';
import { createClearent } from '#worker/vendors/clearent/clearent';
import type { Gateway, TerminalRef } from '#worker/vendors/gateway-port';
import { BASE, createTestGateway, type TestGateway } from './test-world.ts';

export type Reader = 'tap' | 'decline' | 'cancel';

/** A gateway behind the product's own adapter, with all the setup that a scenario needs. */
export type Side = {
  gateway: Gateway;
  web: TerminalRef;
  desk: TerminalRef;
  stranger: TerminalRef;
  cardToken(number: string): Promise<string>;
  bankToken(): Promise<string>;
  /** Sets the cardholder's act for the next sale on the reader; call it after the sale was sent. */
  atReader(act: Reader): Promise<unknown>;
  setReader(state: 'online' | 'offline'): Promise<unknown>;
  fault(path: string, call: 'sale' | 'find' | 'refund' | 'close', fault: FaultOfBoth): Promise<unknown>;
};

/** Faults that both gateways support, with their names in the sandbox. */
export const FAULTS_OF_BOTH = {
  500: '500-before',
  'html-502': 'html-502-before',
  429: 'rate-limited',
  redirect: 'redirect',
  '500-after': '500-after',
  'html-after': 'html-after',
  'bad-json': 'bad-json-after',
} as const;
export type FaultOfBoth = keyof typeof FAULTS_OF_BOTH;

export const CARD = { approved: '4111111111111111', declined: '4000000000000002', fails: '4000000000000119' };
export const billing = {
  firstName: 'Ann',
  lastName: 'Lee',
  address: '1 Elm St',
  address2: '',
  city: 'Troy',
  state: 'MO',
  zip: '85284',
};

const LIMITS = { sandbox: true, timeoutMs: 20_000, terminalTimeoutMs: 20_000 };
const openApiKey = async ({ sealedApiKey }: TerminalRef) => sealedApiKey;

export async function sandboxSide(): Promise<Side> {
  const sandbox = await startSandbox();
  const ref = (terminalId: string, sealedApiKey: string): TerminalRef => ({ accountId: 1, terminalId, sealedApiKey });
  return {
    gateway: createClearent({ ...LIMITS, baseUrl: sandbox.url, openApiKey }),
    web: ref(online.terminalId, online.apiKey),
    desk: ref(frontDesk.terminalId, frontDesk.apiKey),
    stranger: ref('nobody', 'no such key'),
    cardToken: (number) => sandbox.jwt(number),
    async bankToken() {
      const account = { 'routing-number': '063100277', 'account-number': '1234567890' };
      const owner = { 'account-type': 'Checking', 'individual-name': 'Ann Lee' };
      const headers = { 'public-key': online.publicKey };
      const path = '/rest/v2/mobilejwt/ach';
      const { json } = await sandbox.post<{ payload: { 'mobile-jwt': { jwt: string } } }>(
        path,
        { ...account, ...owner },
        headers,
      );
      return json.payload['mobile-jwt'].jwt;
    },
    async atReader(act) {
      // The sale may not have arrived yet.
      while ((await sandbox.touch(act)).status !== 200);
    },
    setReader: (state) => sandbox.touch(state),
    fault: (path, _call, fault) => sandbox.control('faults', { on: path, do: String(fault), times: 1 }),
  };
}

/** The model's side, whose clock advances as its responses need it. */
export function modelSide(): Side & { fetch: typeof fetch; test: TestGateway } {
  const test = createTestGateway();
  const { model } = test;
  // The sandbox's interpretation of the contract's open points.
  Object.assign(model.knobs, { tokenUsedAt: 'commit', dedupeRefunds: true, readerGivesUpAs: 402, nightClose: null });
  model.knobs.terminalAnswer = 'guaranteed';
  model.knobs.dedupeCounts = { voided: false, refunded: true, returned: false };
  const ref = (terminalId: string): TerminalRef => ({ accountId: 1, terminalId, sealedApiKey: `key-${terminalId}` });
  return {
    test,
    gateway: createClearent({ ...LIMITS, baseUrl: BASE, openApiKey }),
    web: ref('web'),
    desk: ref('desk'),
    stranger: ref('nobody'),
    async cardToken(card) {
      const { json } = test.call(
        'POST',
        '/rest/v2/mobilejwt/manual',
        { card, 'exp-date': '1249' },
        { 'public-key': 'public-web' },
      );
      return (json.payload?.['mobile-jwt'] as { jwt: string } | undefined)?.jwt ?? '';
    },
    bankToken: async () => model.issueToken('web', 'ach'),
    atReader: async (act) => model.atReader('desk', act, 1000),
    setReader: async (state) => model.setReader('desk', state),
    fault: async (_path, call, fault) => model.faults.add(call, FAULTS_OF_BOTH[fault]),
    async fetch(input, init) {
      const url = new URL(String(input));
      const headers = Object.fromEntries(new Headers(init?.headers));
      const method = init?.method ?? 'GET';
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
      // Lets `atReader` run after the call was sent.
      await new Promise((resolve) => setImmediate(resolve));
      const { answer } = test.exchange(method, url.pathname + url.search, body, headers);
      if (!answer) throw new Error('The model gave no answer');
      return new Response(answer.status === 204 ? null : answer.body, answer);
    },
  };
}
