import { createApp } from '#worker/app';
import { depsOfClinic } from '#worker/clinic/capability-keys';
import type { Deps, Env } from '#worker/deps';
import { closeBatch } from '#worker/domain/batches/close';
import { syncAccounts } from '#worker/domain/crm-sync/sync-accounts';
import { findOrCreateClinic } from '#worker/domain/merchants/clinic-of-account';
import { boardTerminal, connectAccount } from '#worker/domain/merchants/connect';
import { type Merchant, openSession } from '#worker/domain/merchants/session';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import { type ReversalRequest, reversePayment } from '#worker/domain/refunds/refund';
import { runSchedule } from '#worker/domain/run-schedule';
import type { CrmTokens } from '#worker/vendors/hubspot/port';
import { KNOBS, type Knobs } from './knobs.ts';
import { type NaivePayment, naivePay } from './naive-pay.ts';
import { type Prepared, prepare } from './prepare.ts';
import { clinicOfWorld, type Worlds } from './world-env.ts';

/** The Worker of the money tests: the product's app with ports that fail on demand. Never deployed. */

export { Clinic } from './clinic.ts';

const depsByEnv = new WeakMap<Env, Deps>();
const depsOf = (env: Env): Deps => {
  const deps = depsByEnv.get(env);
  if (!deps) throw new Error('no request was prepared with this env');
  return deps;
};

const app = createApp(depsOf);

type Founding = { accountId: number; installation: string[] };

type World = {
  account: Parameters<typeof connectAccount>[1];
  refreshToken: string;
  terminals: Parameters<typeof boardTerminal>[1][];
};

type Reverse = { merchant: Merchant; attemptId: string; request: ReversalRequest };

const PACE_MS = 5;

/** Shortens the pauses with which the CRM sync respects the CRM's limits; the sandbox does not enforce them here. */
const unpaced = (deps: Deps): Deps => ({ ...deps, pause: (ms) => deps.pause(Math.min(ms, PACE_MS)) });

/** Serves the test-only routes for the world's clinic. */
async function steer(path: string, request: Request, knobs: Knobs, prepared: Prepared): Promise<Response> {
  const body: unknown = await request.json();
  const { deps: installation, env } = prepared;
  const { world = 0, clockMs = 0, settings = {} } = knobs;
  const clinic = clinicOfWorld(world);
  const deps = depsOfClinic(installation, clinic);
  const object = prepared.objects.getByName(String(clinic));
  switch (path) {
    case '/_money/schedule':
      await runSchedule(unpaced(deps));
      return Response.json({});
    case '/_money/cron':
      await runSchedule(unpaced(installation));
      return Response.json({});
    case '/_money/ring':
      return Response.json(await object.ring({ world, clockMs, settings }));
    case '/_money/lose-alarm':
      return Response.json(await object.loseAlarm());
    case '/_money/standing':
      return Response.json(await object.readStatus());
    case '/_money/reset':
      // The call itself ends with the object.
      await object.reset().catch(() => undefined);
      return Response.json({});
    case '/_money/copy':
      await syncAccounts(unpaced(deps));
      return Response.json({});
    case '/_money/sql': {
      const { $client } = deps.db;
      const statements = (body as { sql: string; params: unknown[] }[]).map(({ sql, params }) =>
        $client.prepare(sql).bind(...params),
      );
      return Response.json((await $client.batch(statements)).map(({ results }) => results));
    }
    case '/_money/found': {
      const { accountId, installation: sqls } = body as Founding;
      const d1 = env.INSTALLATION;
      await d1.batch(sqls.map((sql) => d1.prepare(sql)));
      await d1
        .prepare('INSERT INTO clinics (number, account, founded_at, heard_at) VALUES (?1, ?2, ?3, ?3)')
        .bind(clinic, accountId, deps.now())
        .run();
      await object.setClock(clockMs);
      await findOrCreateClinic(installation, accountId);
      return Response.json({});
    }
    case '/_money/world': {
      const { account, refreshToken, terminals } = body as World;
      const tokens: CrmTokens = await deps.crm.refreshTokens(refreshToken);
      await connectAccount(deps, account, tokens, { crmUserId: 1, email: 'desk@example.test' });
      for (const terminal of terminals) await boardTerminal(deps, terminal);
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
      const { merchant, attemptId, request: reversal } = body as Reverse;
      return Response.json(await reversePayment(deps, merchant, attemptId, reversal));
    }
    case '/_money/resolve': {
      const { merchant, attemptId } = body as { merchant: Merchant; attemptId: string };
      const resolution = { verdict: 'charged', note: 'The gateway has it.' } as const;
      return Response.json(await resolvePayment(deps, merchant, attemptId, resolution));
    }
    case '/_money/session': {
      const { accountId } = body as { accountId: number };
      return Response.json(await openSession(deps, { accountId, userId: 1 }, { beganBy: 'crm', label: '' }));
    }
    case '/_money/naive':
      return Response.json(await naivePay(deps, body as NaivePayment));
    default:
      return new Response('no such test route', { status: 404 });
  }
}

export default {
  async fetch(request, worlds, context) {
    const knobs: Knobs = JSON.parse(request.headers.get(KNOBS) ?? '{}');
    const { pathname } = new URL(request.url);
    const isSteering = pathname.startsWith('/_money/');
    const prepared = prepare(worlds, knobs, isSteering);
    if (isSteering) return steer(pathname, request, knobs, prepared);
    depsByEnv.set(prepared.env, prepared.deps);
    const response = await app.fetch(request as unknown as globalThis.Request, prepared.env, context);
    await prepared.stop('before-answer');
    return response;
  },
} satisfies ExportedHandler<Worlds>;
