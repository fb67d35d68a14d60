import { DurableObject } from 'cloudflare:workers';
import { createApp } from '#worker/app';
import { Clinic as ProductClinic } from '#worker/clinic/clinic';
import type { ClinicCalls, Reply, SerializedStatement } from '#worker/clinic/d1-interface';
import { CLINIC_SCHEMA, clinicMigrations } from '#worker/clinic/migrations';
import { users } from '#worker/data/schema/merchants';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { clinicOfAccount, findOrCreateClinic } from '#worker/domain/merchants/clinic-of-account';
import { boardTerminal, connectAccount } from '#worker/domain/merchants/connect';
import { openSession } from '#worker/domain/merchants/session';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';

/**
 * The product's Worker with a trivial route in the same bundle. It counts the trips to the D1 and to the clinics'
 * objects, and the rows read in the objects. Only for measuring, never deployed.
 */
const counters = { d1: 0, object: 0, rows: 0 };

/** Its alarm does nothing, so that only the cost of requests is measured. */
export class Clinic extends ProductClinic {
  override async alarm() {}
}

/** An object that has only the tables of a clinic. */
export class Bare extends DurableObject<Env> {
  write(statements: SerializedStatement[]) {
    const { sql, transactionSync } = this.ctx.storage;
    if (sql.databaseSize < 100_000) for (const file of clinicMigrations) sql.exec(file.sql);
    return transactionSync.call(this.ctx.storage, () =>
      statements.map((statement) => sql.exec(statement.sql, ...statement.values).toArray().length),
    );
  }
}

/** Counts every call to the database; a batch is one call. */
function countDatabase(d1: D1Database): D1Database {
  const bareOf = new WeakMap<object, object>();
  const countCalls = <T extends object>(target: T, names: string[], wrap: string): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== 'function') return value;
        return (...values: unknown[]) => {
          if (names.includes(String(name))) counters.d1++;
          // A batch needs the statements themselves, not their counting wrappers.
          const bare =
            name === 'batch'
              ? [(values[0] as object[]).map((statement) => bareOf.get(statement) ?? statement)]
              : values;
          const result: unknown = Reflect.apply(value, object, bare);
          return name === wrap ? statement(result as object) : result;
        };
      },
    });
  const statement = (bare: object) => {
    const proxy = countCalls(bare, ['all', 'run', 'first', 'raw'], 'bind');
    bareOf.set(proxy, bare);
    return proxy;
  };
  return countCalls(d1, ['batch', 'exec'], 'prepare');
}

/** Counts the calls to the objects, and the rows that each reply reports as read. */
function countObjects(objects: Env['CLINICS']): Env['CLINICS'] {
  const getByName = (name: string) => {
    const stub = objects.getByName(name);
    const ask: ClinicCalls['ask'] = async (schema, statements) => {
      counters.object++;
      const reply: Reply = await stub.ask(schema, statements);
      if ('done' in reply) for (const { meta } of reply.done) counters.rows += meta.rows_read;
      return reply;
    };
    return new Proxy(stub, { get: (object, call) => (call === 'ask' ? ask : Reflect.get(object, call)) });
  };
  return new Proxy(objects, { get: (object, name) => (name === 'getByName' ? getByName : Reflect.get(object, name)) });
}

let deps: Deps | undefined;
const depsOf = (env: Env): Deps => {
  deps ??= createDeps({
    ...env,
    INSTALLATION: countDatabase(env.INSTALLATION),
    CLINICS: countObjects(env.CLINICS),
  });
  return deps;
};

const app = createApp(depsOf);

const clinicOf = async (env: Env, accountId: string) => {
  const clinic = await clinicOfAccount(depsOf(env), Number(accountId));
  if (!clinic) throw new Error(`no clinic of account ${accountId}`);
  return clinic;
};

/** Calls a method that only the objects of an experiment have. */
app.put('/bench/call/:object/:method', async (c) => {
  const { object, method } = c.req.param();
  const stub = c.env.CLINICS.getByName(object) as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  return c.json((await stub[method]?.(...((await c.req.json()) as unknown[]))) ?? null);
});

const ONE_ROW = 'SELECT account_id, name FROM accounts WHERE account_id = ?';

/** Reads one row from a clinic's object. */
app.get('/bench/base/:clinic', async (c) => {
  const statement = { sql: ONE_ROW, values: [1] };
  return c.json(await c.env.CLINICS.getByName(c.req.param('clinic')).ask(CLINIC_SCHEMA, [statement]));
});

/** Returns the clinic of an account, created if it is missing. */
app.put('/bench/clinics/:account', async (c) => {
  const { clinic } = await findOrCreateClinic(depsOf(c.env), Number(c.req.param('account')));
  return c.json({ clinic });
});

app.put('/bench/ask/:clinic', async (c) => {
  const statements = (await c.req.json()) as SerializedStatement[];
  return c.json(await c.env.CLINICS.getByName(c.req.param('clinic')).ask(CLINIC_SCHEMA, statements));
});

app.put('/bench/bare/:name', async (c) => {
  const objects = c.env.BARE as DurableObjectNamespace<Bare>;
  return c.json(await objects.getByName(c.req.param('name')).write((await c.req.json()) as SerializedStatement[]));
});

type World = {
  account: Parameters<typeof connectAccount>[1];
  refreshToken: string;
  terminal: Parameters<typeof boardTerminal>[1];
};

app.put('/bench/world', async (c) => {
  const world = (await c.req.json()) as World;
  const clinic = await findOrCreateClinic(depsOf(c.env), world.account.accountId);
  await connectAccount(clinic, world.account, await clinic.crm.refreshTokens(world.refreshToken), {
    crmUserId: 1,
    email: 'a@bench.example',
  });
  await boardTerminal(clinic, world.terminal);
  return c.json({});
});

app.put('/bench/links/:hub/:invoice', async (c) => {
  const { hub, invoice } = c.req.param();
  return c.json(await issuePayLink(await clinicOf(c.env, hub), Number(hub), invoice));
});

/** Opens a session for the clinic's only user, who is inserted first. */
app.put('/bench/session/:hub', async (c) => {
  const { hub } = c.req.param();
  const clinic = await clinicOf(c.env, hub);
  const person = { accountId: Number(hub), userId: 1 };
  await clinic.db
    .insert(users)
    .values({ ...person, email: '', lastLoginAt: 0, role: 'admin' })
    .onConflictDoNothing();
  return c.json(await openSession(clinic, person, { beganBy: 'crm', label: '' }));
});

/** Inserts posts as rows, without a publication each. */
app.put('/bench/posts', async (c) => {
  await c.env.INSTALLATION.prepare(
    `INSERT INTO articles (id, kind, slug, title, status, save_id, created_at, updated_at, published_at, updated_by, search, content)
SELECT value ->> 'slug', 'post', value ->> 'slug', value ->> 'title', 'PUBLISHED', value ->> 'slug', value ->> 'at', value ->> 'at',
  value ->> 'at', 'bench', value ->> 'slug', value ->> 'html' FROM json_each(?1)`,
  )
    .bind(await c.req.text())
    .run();
  return c.json({});
});

export default {
  /** Response headers contain the numbers of trips and, for the objects, of rows read until the response was ready. */
  async fetch(request: Request, env: Env, context: ExecutionContext) {
    Object.assign(counters, { d1: 0, object: 0, rows: 0 });
    const response = await app.fetch(request, env, context);
    response.headers.set('x-d1-trips', String(counters.d1));
    response.headers.set('x-object-trips', String(counters.object));
    response.headers.set('x-rows', String(counters.rows));
    return response;
  },
};
