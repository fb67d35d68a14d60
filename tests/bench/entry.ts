import { createApp } from '#worker/app';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { boardTerminal, connectAccount } from '#worker/domain/merchants/connect';
import { openSession } from '#worker/domain/merchants/session';
import { issuePayLink } from '#worker/domain/pay-links/issue';

/**
 * The product's Worker beside a trivial route in the same bundle, with a D1 that counts its trips and the rows it
 * reads. Only for measuring, never deployed.
 */
let trips = 0;
let rows = 0;
let isRawCounted = false;

function countRows(results: unknown): void {
  for (const result of Array.isArray(results) ? results : [results]) {
    const { meta } = (result ?? {}) as Partial<D1Result>;
    rows += meta?.rows_read ?? 0;
  }
}

/** Bare rows come without their cost, so this reads them a second time. Only for statements that read. */
async function countedRaw(object: object, read: () => unknown): Promise<unknown> {
  countRows(await (object as D1PreparedStatement).all());
  return read();
}

/** Counts every call to the database; a batch is one call. */
function counted(d1: D1Database): D1Database {
  const countCalls = <T extends object>(target: T, names: string[], wrap: string[] = []): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== 'function') return value;
        const call = (...values: unknown[]) => {
          if (names.includes(String(name))) trips++;
          // A batch needs the statements themselves, not their counting wrappers.
          const bare =
            name === 'batch'
              ? [(values[0] as object[]).map((statement) => bareOf.get(statement) ?? statement)]
              : values;
          const read = () => Reflect.apply(value, object, bare) as unknown;
          const result: unknown = name === 'raw' && isRawCounted ? countedRaw(object, read) : read();
          if (result instanceof Promise) {
            return result.then((answer: unknown) => {
              countRows(answer);
              return answer;
            });
          }
          return wrap.includes(String(name)) ? statement(result as object) : result;
        };
        return call;
      },
    });
  const bareOf = new WeakMap<object, object>();
  const statement = (bare: object) => {
    const proxy = countCalls(bare, ['all', 'run', 'first', 'raw'], ['bind']);
    bareOf.set(proxy, bare);
    return proxy;
  };
  return countCalls(d1, ['batch', 'exec'], ['prepare']);
}

let deps: Deps | undefined;
const depsOf = (env: Env): Deps => {
  deps ??= createDeps({ ...env, DB: counted(env.DB) });
  return deps;
};

const app = createApp(depsOf);

app.get('/bench/base', async (c) => {
  const row = await c.env.DB.prepare('SELECT hub_id, name FROM hubs WHERE hub_id = ?').bind(1).first();
  return c.json(row);
});

type World = {
  account: Parameters<typeof connectAccount>[1];
  refreshToken: string;
  terminal: Parameters<typeof boardTerminal>[1];
};

app.put('/bench/world', async (c) => {
  const world = (await c.req.json()) as World;
  const own = depsOf(c.env);
  await connectAccount(own, world.account, await own.crm.refreshTokens(world.refreshToken));
  await boardTerminal(own, world.terminal);
  return c.json({});
});

app.put('/bench/links/:hub/:invoice', async (c) =>
  c.json(await issuePayLink(depsOf(c.env), Number(c.req.param('hub')), c.req.param('invoice'))),
);

app.put('/bench/session/:hub', async (c) => {
  const accountId = Number(c.req.param('hub'));
  return c.json(await openSession(depsOf(c.env), { accountId, userId: 1, email: 'a@bench.example' }));
});

/** Inserts posts as rows, without a publication each. */
app.put('/bench/posts', async (c) => {
  await c.env.DB.prepare(
    `INSERT INTO articles (id, kind, slug, title, status, save_id, created_at, updated_at, published_at, updated_by, search, content)
SELECT value ->> 'slug', 'post', value ->> 'slug', value ->> 'title', 'PUBLISHED', value ->> 'slug', value ->> 'at', value ->> 'at',
  value ->> 'at', 'bench', value ->> 'slug', value ->> 'html' FROM json_each(?1)`,
  )
    .bind(await c.req.text())
    .run();
  return c.json({});
});

export default {
  /**
   * Response headers give the trips made and rows read until the answer was ready. Rows that a query builder reads
   * are counted only on `x-count-raw`.
   */
  async fetch(request: Request, env: Env, context: ExecutionContext) {
    trips = 0;
    rows = 0;
    isRawCounted = request.headers.has('x-count-raw');
    const response = await app.fetch(request, env, context);
    response.headers.set('x-d1-trips', String(trips));
    response.headers.set('x-d1-rows', String(rows));
    return response;
  },
};
