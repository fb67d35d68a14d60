import { env } from 'cloudflare:workers';
import { type Attempt, terminals } from '#worker/data/schema/schema';
import { createDeps, type Deps, type Env } from '#worker/deps';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { bareBooks, NOW } from './bare-books.ts';
import { ACCOUNT } from './rows.ts';
import { scriptedGateway, transaction } from './scripted-gateway.ts';
import { testSettings } from './settings.ts';

/** The gateway's transaction of the attempt `a1` of $100.00. */
export const gatewayCharge = (fields: Partial<GatewayTransaction> = {}): GatewayTransaction =>
  transaction(
    {
      attemptId: 'a1',
      dedupeKey: '1-1',
      amountCents: 10_000,
      terminal: { accountId: ACCOUNT, terminalId: 'T1', sealedApiKey: '' },
    },
    { id: 't1', createdAt: NOW - 60_000, ...fields },
  );

export type GatewayAnswer = Partial<GatewayTransaction>[] | 'unavailable';

/** Bare books with one terminal and the attempt `a1` of invoice `1`; tests set the gateway's transactions by `show`. */
export async function bareClinic(row: Partial<Attempt> = {}) {
  const books = await bareBooks();
  await books.addInvoice('1');
  const terminal = { accountId: ACCOUNT, name: 'Web', channel: 'ecommerce', publicKey: 'abc', apiKey: 'k' } as const;
  await books.db.insert(terminals).values({ ...terminal, terminalId: 'T1', createdAt: 1 });
  await books.addAttempt('1', { id: 'a1', ...row });
  const clock = { now: NOW };
  const gateway = scriptedGateway();
  const logs: string[] = [];
  const fields: object[] = [];
  const record = (text: string, eventFields: object = {}) => {
    logs.push(text);
    fields.push(eventFields);
  };
  const requests: unknown[] = [];
  const deps: Deps = {
    ...createDeps({ ...env, ...testSettings('http://127.0.0.1:1') } as unknown as Env),
    db: books.db,
    clinic: 3,
    gateway: gateway.port,
    log: {
      info: (event, eventFields) => record(event, eventFields),
      alert: (event, eventFields) => record(`ALERT ${event}`, eventFields),
    },
    now: () => clock.now,
  };
  const find = gateway.port.find;
  deps.gateway = {
    ...gateway.port,
    find: async (...args) => {
      requests.push(args[2]);
      return find(...args);
    },
  };
  /** Sets the gateway's transactions, which it finds by order id and by key alike. */
  const show = (answer: GatewayAnswer) => {
    const txns = answer === 'unavailable' ? answer : answer.map(gatewayCharge);
    gateway.script.find = (searchKey) =>
      txns === 'unavailable' || !('providerTxnId' in searchKey)
        ? txns
        : txns.filter(({ id }) => id === searchKey.providerTxnId);
  };
  const read = async (id = 'a1'): Promise<Attempt> => {
    const attempt = await books.db.query.paymentAttempts.findFirst({ where: (row, { eq }) => eq(row.id, id) });
    if (!attempt) throw new Error('the attempt does not exist');
    return attempt;
  };
  return { ...books, deps, clock, gateway, logs, fields, requests, show, read };
}
