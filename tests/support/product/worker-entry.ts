import {
  DATABASE_PATH,
  type DatabaseCall,
  type DatabaseReply,
  fromWire,
  SECRET_HEADER,
  SETTINGS_HEADER,
} from './remote-database.ts';

type Env = { DB: D1Database; ENTRY_SECRET?: string };
type Worker = { fetch: ExportedHandlerFetchHandler<Env>; scheduled: ExportedHandlerScheduledHandler<Env> };

/**
 * The built Worker for tests: one more address gives access to its database, so that only one process has the file
 * open, and a request may bring settings of its own, since a start for each would take too long. Only scripts/local/serve-built.ts serves it; no build contains it.
 */
export const around = (worker: Worker): Worker => ({
  ...worker,
  fetch: (request, env, context) => {
    if (!isOurs(request, env)) return worker.fetch(request, env, context);
    if (new URL(request.url).pathname === DATABASE_PATH) return answer(request, env.DB);
    const settings = JSON.parse(request.headers.get(SETTINGS_HEADER) ?? '{}') as Record<string, string>;
    return worker.fetch(request, { ...env, ...settings }, context);
  },
});

const isOurs = (request: Request, { ENTRY_SECRET: secret }: Env): boolean =>
  secret !== undefined && secret !== '' && request.headers.get(SECRET_HEADER) === secret;

async function answer(request: Request, db: D1Database): Promise<Response> {
  try {
    const value = await perform(db, await request.json<DatabaseCall>());
    return Response.json({ value } satisfies DatabaseReply);
  } catch (cause) {
    return Response.json({ error: cause instanceof Error ? cause.message : String(cause) } satisfies DatabaseReply);
  }
}

async function perform(db: D1Database, call: DatabaseCall): Promise<unknown> {
  if (call.do === 'exec') return db.exec(call.text);
  const statements = call.statements.map(({ text, values }) => db.prepare(text).bind(...values.map(fromWire)));
  if (call.do === 'batch') return db.batch(statements);
  const [statement] = statements;
  if (!statement) throw new Error('there is no statement');
  if (call.do === 'first') return call.column === undefined ? statement.first() : statement.first(call.column);
  if (call.do === 'raw') return call.columnNames ? statement.raw({ columnNames: true }) : statement.raw();
  return statement[call.do]();
}
