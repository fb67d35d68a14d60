import { DurableObject } from 'cloudflare:workers';
import { createApp } from '#worker/app';
import { Clinic as ProductClinic } from '#worker/clinic/clinic';
import type { Asked, ClinicCalls, Reply } from '#worker/clinic/facade';
import { CLINIC_SCHEMA, clinicMigrations } from '#worker/clinic/migrations';
import { users } from '#worker/data/schema/merchants';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { clinicOfAccount, foundClinic } from '#worker/domain/merchants/clinic-of-account';
import { boardTerminal, connectAccount } from '#worker/domain/merchants/connect';
import { openSession } from '#worker/domain/merchants/session';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';

/**
 * The product's Worker beside a trivial route in the same bundle, with a D1 and clinics' objects whose trips it counts,
 * and the rows read in the objects. Only for measuring, never deployed.
 */
const made = { d1: 0, object: 0, rows: 0 };

/** Its clock stands still, so that only what a request does is measured. */
export class Clinic extends ProductClinic {
  override async alarm() {}
}

/** An object with the tables of a clinic and nothing around them. */
export class Bare extends DurableObject<Env> {
  write(asked: Asked[]) {
    const { sql, transactionSync } = this.ctx.storage;
    if (sql.databaseSize < 100_000) for (const file of clinicMigrations) sql.exec(file.sql);
    return transactionSync.call(this.ctx.storage, () =>
      asked.map((one) => sql.exec(one.sql, ...one.values).toArray().length),
    );
  }
}

/** Counts every call to the database; a batch is one call. */
function counted(d1: D1Database): D1Database {
  const bareOf = new WeakMap<object, object>();
  const countCalls = <T extends object>(target: T, names: string[], wrap: string): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== 'function') return value;
        return (...values: unknown[]) => {
          if (names.includes(String(name))) made.d1++;
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

/** Counts what is asked of the objects, with the rows that each answer says were read for it. */
function countedObjects(objects: Env['CLINICS']): Env['CLINICS'] {
  const getByName = (name: string) => {
    const stub = objects.getByName(name);
    const ask: ClinicCalls['ask'] = async (schema, asked) => {
      made.object++;
      const reply: Reply = await stub.ask(schema, asked);
      if ('done' in reply) for (const { meta } of reply.done) made.rows += meta.rows_read;
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
    INSTALLATION: counted(env.INSTALLATION),
    CLINICS: countedObjects(env.CLINICS),
  });
  return deps;
};

const app = createApp(depsOf);

const clinicOf = async (env: Env, accountId: string) => {
  const clinic = await clinicOfAccount(depsOf(env), Number(accountId));
  if (!clinic) throw new Error(`no clinic of account ${accountId}`);
  return clinic;
};

/** A method that only the objects of an experiment have. */
app.put('/bench/call/:object/:method', async (c) => {
  const { object, method } = c.req.param();
  const stub = c.env.CLINICS.getByName(object) as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
  return c.json((await stub[method]?.(...((await c.req.json()) as unknown[]))) ?? null);
});

const ONE_ROW = 'SELECT account_id, name FROM accounts WHERE account_id = ?';

/** One row out of a clinic's object, and nothing else. */
app.get('/bench/base/:clinic', async (c) => {
  const asked = { sql: ONE_ROW, values: [1] };
  return c.json(await c.env.CLINICS.getByName(c.req.param('clinic')).ask(CLINIC_SCHEMA, [asked]));
});

/** The clinic of an account, made where there is none. */
app.put('/bench/clinics/:account', async (c) => {
  const { clinic } = await foundClinic(depsOf(c.env), Number(c.req.param('account')));
  return c.json({ clinic });
});

app.put('/bench/ask/:clinic', async (c) => {
  const asked = (await c.req.json()) as Asked[];
  return c.json(await c.env.CLINICS.getByName(c.req.param('clinic')).ask(CLINIC_SCHEMA, asked));
});

app.put('/bench/bare/:name', async (c) => {
  const objects = c.env.BARE as DurableObjectNamespace<Bare>;
  return c.json(await objects.getByName(c.req.param('name')).write((await c.req.json()) as Asked[]));
});

type World = {
  account: Parameters<typeof connectAccount>[1];
  refreshToken: string;
  terminal: Parameters<typeof boardTerminal>[1];
};

app.put('/bench/world', async (c) => {
  const world = (await c.req.json()) as World;
  const own = await foundClinic(depsOf(c.env), world.account.accountId);
  await connectAccount(own, world.account, await own.crm.refreshTokens(world.refreshToken), {
    crmUserId: 1,
    email: 'a@bench.example',
  });
  await boardTerminal(own, world.terminal);
  return c.json({});
});

app.put('/bench/links/:hub/:invoice', async (c) => {
  const { hub, invoice } = c.req.param();
  return c.json(await issuePayLink(await clinicOf(c.env, hub), Number(hub), invoice));
});

/** A session of the clinic's only person, who is put there first. */
app.put('/bench/session/:hub', async (c) => {
  const { hub } = c.req.param();
  const own = await clinicOf(c.env, hub);
  const person = { accountId: Number(hub), userId: 1 };
  await own.db
    .insert(users)
    .values({ ...person, email: '', lastLoginAt: 0, role: 'admin' })
    .onConflictDoNothing();
  return c.json(await openSession(own, person, { beganBy: 'crm', label: '' }));
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
  /** Response headers give the trips made and, of the objects, the rows read until the answer was ready. */
  async fetch(request: Request, env: Env, context: ExecutionContext) {
    Object.assign(made, { d1: 0, object: 0, rows: 0 });
    const response = await app.fetch(request, env, context);
    response.headers.set('x-d1-trips', String(made.d1));
    response.headers.set('x-object-trips', String(made.object));
    response.headers.set('x-rows', String(made.rows));
    return response;
  },
};
