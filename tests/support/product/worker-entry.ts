import {
  CLINICS_PATH,
  type ClinicCall,
  type ClinicReply,
  HOLD_PATH,
  RING_PATH,
  withBuffers,
} from './remote-clinics.ts';
import {
  DATABASE_PATH,
  type DatabaseCall,
  type DatabaseReply,
  fromWire,
  SECRET_HEADER,
  SETTINGS_HEADER,
} from './remote-database.ts';

type Stub = Record<ClinicCall['call'] | 'ringNow' | 'settle' | 'letGo', (...args: unknown[]) => Promise<unknown>>;
type Env = { INSTALLATION: D1Database; CLINICS: { getByName(name: string): Stub }; ENTRY_SECRET?: string };
type Worker = { fetch: ExportedHandlerFetchHandler<Env>; scheduled: ExportedHandlerScheduledHandler<Env> };
type Calls = Record<string, (request: Request, env: Env) => Promise<unknown>>;

const CALLS: Calls = {
  [DATABASE_PATH]: async (request, { INSTALLATION }) => perform(INSTALLATION, await request.json<DatabaseCall>()),
  [CLINICS_PATH]: async (request, { CLINICS }) => {
    const { clinic, call, args } = withBuffers(await request.json<ClinicCall>());
    return CLINICS.getByName(clinic)[call](...args);
  },
  [RING_PATH]: (_request, env) => callEach(env, 'ringNow'),
  [HOLD_PATH]: async (request, env) => {
    const body = await request.json<{ isHeld: boolean }>();
    isHeld = body.isHeld;
    await callEach(env, isHeld ? 'settle' : 'letGo');
  },
};

/** While true, no clinic's alarm fires. Module state, because an object's field would be lost with the object. */
let isHeld = false;

async function callEach({ INSTALLATION, CLINICS }: Env, call: 'ringNow' | 'settle' | 'letGo'): Promise<void> {
  const query = INSTALLATION.prepare('SELECT number FROM clinics WHERE erased_at IS NULL');
  const { results } = await query.all<{ number: number }>();
  await Promise.all(results.map(({ number }) => CLINICS.getByName(String(number))[call]()));
}

/**
 * Wraps the built Worker for tests: more paths give access to its databases, so that only one process has a file open,
 * and fire the clinics' alarms. A request may have its own settings, because restarting for each would take too long.
 * Only scripts/local/serve-built.ts serves it; no build contains it.
 */
export const wrapWorker = (worker: Worker): Worker => ({
  ...worker,
  fetch: (request, env, context) => {
    if (!isTestRequest(request, env)) return worker.fetch(request, env, context);
    const call = CALLS[new URL(request.url).pathname];
    if (call) return answer(() => call(request, env));
    const settings = JSON.parse(request.headers.get(SETTINGS_HEADER) ?? '{}') as Record<string, string>;
    return worker.fetch(request, { ...env, ...settings }, context);
  },
});

const isTestRequest = (request: Request, { ENTRY_SECRET: secret }: Env): boolean =>
  secret !== undefined && secret !== '' && request.headers.get(SECRET_HEADER) === secret;

type ClinicClass = new (context: DurableObjectState, env: Env) => { alarm(): Promise<void> };

/** A clinic's object whose alarm tests can fire, and hold while only they may call the vendors. */
export const withTestAlarms = (Clinic: ClinicClass): ClinicClass =>
  class extends Clinic {
    #turn: Promise<void> = Promise.resolve();
    #letGo: PromiseWithResolvers<void> | undefined;

    override async alarm() {
      if (isHeld) {
        this.#letGo ??= Promise.withResolvers<void>();
        await this.#letGo.promise;
      }
      await this.ringNow();
    }

    /** Runs the alarm and waits for it. The run starts after this call. */
    ringNow() {
      // A run under way may not see work that was added since, so this run comes after it.
      this.#turn = this.#turn.then(() => super.alarm());
      return this.#turn;
    }

    /** Waits until no run is under way. */
    settle() {
      return this.#turn;
    }

    letGo() {
      this.#letGo?.resolve();
      this.#letGo = undefined;
    }
  };

async function answer(work: () => Promise<unknown>): Promise<Response> {
  try {
    return Response.json({ value: await work() } satisfies DatabaseReply & ClinicReply);
  } catch (cause) {
    return Response.json({ error: cause instanceof Error ? cause.message : String(cause) } satisfies DatabaseReply);
  }
}

async function perform(db: D1Database, call: DatabaseCall): Promise<unknown> {
  if (call.do === 'exec') return db.exec(call.text);
  const statements = call.statements.map(({ text, values }) => db.prepare(text).bind(...values.map(fromWire)));
  if (call.do === 'batch') return db.batch(statements);
  const [statement] = statements;
  if (!statement) throw new Error('the call has no statement');
  if (call.do === 'first') return call.column === undefined ? statement.first() : statement.first(call.column);
  if (call.do === 'raw') return call.columnNames ? statement.raw({ columnNames: true }) : statement.raw();
  return statement[call.do]();
}
