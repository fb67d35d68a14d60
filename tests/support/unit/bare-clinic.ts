import { env } from 'cloudflare:workers';
import { type Attempt, terminals } from '#worker/data/schema/schema';
import { createDeps, type Deps, type Env } from '#worker/deps';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { bareBooks, NOW } from './bare-books.ts';
import { ACCOUNT } from './rows.ts';
import { scriptedGateway, transaction } from './scripted-gateway.ts';
import { testSettings } from './settings.ts';

/** A charge of the attempt `a1` of $100.00, as the gateway shows it. */
export const shownCharge = (more: Partial<GatewayTransaction> = {}): GatewayTransaction =>
  transaction(
    {
      attemptId: 'a1',
      dedupeKey: '1-1',
      amountCents: 10_000,
      terminal: { accountId: ACCOUNT, terminalId: 'T1', sealedApiKey: '' },
    },
    { id: 't1', createdAt: NOW - 60_000, ...more },
  );

export type Shown = Partial<GatewayTransaction>[] | 'unavailable';

/** Bare books with one terminal and the attempt `a1` of invoice `1`; the gateway shows what a test says. */
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
  const note = (text: string, more: object = {}) => {
    logs.push(text);
    fields.push(more);
  };
  const asked: unknown[] = [];
  const deps: Deps = {
    ...createDeps({ ...env, ...testSettings('http://127.0.0.1:1') } as unknown as Env),
    db: books.db,
    clinic: 3,
    gateway: gateway.port,
    log: { info: (event, more) => note(event, more), alert: (event, more) => note(`ALERT ${event}`, more) },
    now: () => clock.now,
  };
  const find = gateway.port.find;
  deps.gateway = {
    ...gateway.port,
    find: async (...how) => {
      asked.push(how[2]);
      return find(...how);
    },
  };
  /** From now on the gateway shows this, by order id and by key alike. */
  const show = (shown: Shown) => {
    const txns = shown === 'unavailable' ? shown : shown.map(shownCharge);
    gateway.script.find = (by) =>
      txns === 'unavailable' || !('providerTxnId' in by) ? txns : txns.filter(({ id }) => id === by.providerTxnId);
  };
  const read = async (id = 'a1'): Promise<Attempt> => {
    const attempt = await books.db.query.paymentAttempts.findFirst({ where: (own, { eq }) => eq(own.id, id) });
    if (!attempt) throw new Error('there is no such attempt');
    return attempt;
  };
  return { ...books, deps, clock, gateway, logs, fields, asked, show, read };
}
