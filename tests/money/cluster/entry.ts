import { createApp } from '#worker/app';
import { openDb } from '#worker/data/db';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { closeBatch } from '#worker/domain/batches/close';
import { syncAccounts } from '#worker/domain/crm-sync/run-all';
import { boardTerminal, connectAccount } from '#worker/domain/merchants/connect';
import { type Merchant, openSession } from '#worker/domain/merchants/session';
import { issuePayLink } from '#worker/domain/pay-links/issue';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import { type ReversalRequest, reversePayment } from '#worker/domain/refunds/refund';
import { runSchedule } from '#worker/domain/run-schedule';
import type { CrmTokens } from '#worker/vendors/hubspot/port';
import { faultyD1 } from './faulty-d1.ts';
import { KNOBS, type Knobs, type Point } from './knobs.ts';
import { naivePay } from './naive-pay.ts';

/** The Worker of the money tests: the product's own app between ports that break on demand. Never deployed. */

type TestEnv = Env & { CONTROL_URL: string };
/** `DB_0`, `MEDIA_0` and so on, one of each per world. */
type Worlds = Record<string, unknown>;

const depsByEnv = new WeakMap<Env, Deps>();
const depsOf = (env: Env): Deps => {
  const deps = depsByEnv.get(env);
  if (!deps) throw new Error('an env that no request was prepared with');
  return deps;
};

const app = createApp(depsOf);

type Prepared = { env: TestEnv; deps: Deps; stop(point: Point): Promise<void> };

function prepare(worlds: Worlds, knobs: Knobs, isReconciling: boolean): Prepared {
  const own = { DB: worlds[`DB_${knobs.world}`], MEDIA: worlds[`MEDIA_${knobs.world}`] };
  const env = { ...own, ...knobs.settings } as unknown as TestEnv;
  let isStopped = false;
  const stop = async (point: Point) => {
    if (knobs.stopAt !== point || isStopped) return;
    isStopped = true;
    await fetch(`${env.CONTROL_URL}/points/${point}`, { method: 'POST' });
  };
  const deps = createDeps(env);
  deps.db = openDb(faultyD1(env.DB, { fault: knobs.d1, isReconciling, stop }));
  deps.now = () => Date.now() + (knobs.clockMs ?? 0);
  const { crm, gateway, mailer } = deps;
  deps.crm = {
    ...crm,
    async refreshTokens(refreshToken) {
      await stop('before-renewal');
      const tokens = await crm.refreshTokens(refreshToken);
      await stop('after-renewal');
      return tokens;
    },
  };
  deps.gateway = {
    ...gateway,
    async charge(request) {
      const going = gateway.charge(request);
      await stop('mid-gateway');
      const outcome = await going;
      await stop('after-gateway');
      return outcome;
    },
    async startTerminalSale(request) {
      const going = gateway.startTerminalSale(request);
      await stop('mid-gateway');
      const outcome = await going;
      await stop('after-gateway');
      return outcome;
    },
    async find(terminal, method, by) {
      await stop('reconcile-before-find');
      const found = await gateway.find(terminal, method, by);
      await stop('reconcile-after-find');
      return found;
    },
  };
  deps.mailer = {
    async send(mail) {
      await stop('outbox-before-send');
      const result = await mailer.send(mail);
      await stop('outbox-after-send');
      return result;
    },
  };
  depsByEnv.set(env, deps);
  return { env, deps, stop };
}

type World = {
  account: Parameters<typeof connectAccount>[1];
  refreshToken: string;
  terminals: Parameters<typeof boardTerminal>[1][];
};

type Reverse = { merchant: Merchant; attemptId: string; request: ReversalRequest };

/** Routes that tests need besides the product's own. */
async function steer(path: string, request: Request, { deps, env }: Prepared): Promise<Response> {
  const body: unknown = await request.json();
  switch (path) {
    case '/_money/schedule':
      await runSchedule(deps);
      return Response.json({});
    case '/_money/copy':
      await syncAccounts(deps);
      return Response.json({});
    case '/_money/sql': {
      const statements = body as { sql: string; params: unknown[] }[];
      const results = await env.DB.batch(statements.map(({ sql, params }) => env.DB.prepare(sql).bind(...params)));
      return Response.json(results.map(({ results: rows }) => rows));
    }
    case '/_money/world': {
      const world = body as World;
      const tokens: CrmTokens = await deps.crm.refreshTokens(world.refreshToken);
      await connectAccount(deps, world.account, tokens);
      for (const terminal of world.terminals) await boardTerminal(deps, terminal);
      return Response.json({});
    }
    case '/_money/links': {
      const { accountId, invoiceIds } = body as { accountId: number; invoiceIds: string[] };
      const links = await Promise.all(invoiceIds.map((id) => issuePayLink(deps, accountId, id)));
      return Response.json(links.map((link) => link?.payId ?? null));
    }
    case '/_money/close': {
      const { merchant, terminalId, named } = body as { merchant: Merchant; terminalId: string; named: string | null };
      return Response.json(await closeBatch(deps, merchant, terminalId, named));
    }
    case '/_money/reverse': {
      const { merchant, attemptId, request: asked } = body as Reverse;
      return Response.json(await reversePayment(deps, merchant, attemptId, asked));
    }
    case '/_money/resolve': {
      const { merchant, attemptId } = body as { merchant: Merchant; attemptId: string };
      const word = { verdict: 'charged', note: 'The gateway has it.' } as const;
      return Response.json(await resolvePayment(deps, merchant, attemptId, word));
    }
    case '/_money/session': {
      const { accountId } = body as { accountId: number };
      return Response.json(await openSession(deps, { accountId, userId: 1, email: 'desk@example.test' }));
    }
    case '/_money/naive':
      return Response.json(await naivePay(deps, env.DB, body as { payId: string; token: string }));
    default:
      return new Response('no such test route', { status: 404 });
  }
}

export default {
  async fetch(request, worlds, context) {
    const knobs: Knobs = JSON.parse(request.headers.get(KNOBS) ?? '{}');
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/_money/')) return steer(pathname, request, prepare(worlds, knobs, true));
    const prepared = prepare(worlds, knobs, false);
    const response = await app.fetch(request as unknown as globalThis.Request, prepared.env, context);
    await prepared.stop('before-answer');
    return response;
  },
} satisfies ExportedHandler<Worlds>;
