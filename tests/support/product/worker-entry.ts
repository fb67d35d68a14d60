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
  [RING_PATH]: (_request, env) => ofEach(env, 'ringNow'),
  [HOLD_PATH]: async (request, env) => {
    const asked = await request.json<{ isHeld: boolean }>();
    isHeld = asked.isHeld;
    await ofEach(env, isHeld ? 'settle' : 'letGo');
  },
};

/** While true, no clinic's clock rings by itself. An object's own field would go with the object. */
let isHeld = false;

async function ofEach({ INSTALLATION, CLINICS }: Env, call: 'ringNow' | 'settle' | 'letGo'): Promise<void> {
  const all = INSTALLATION.prepare('SELECT number FROM clinics WHERE erased_at IS NULL');
  const { results } = await all.all<{ number: number }>();
  await Promise.all(results.map(({ number }) => CLINICS.getByName(String(number))[call]()));
}

/**
 * The built Worker for tests: further addresses give access to its databases, so that only one process has a file
 * open, and ring the clinics' clocks. A request may bring settings of its own, since a start for each would take too
 * long. Only scripts/local/serve-built.ts serves it; no build contains it.
 */
export const around = (worker: Worker): Worker => ({
  ...worker,
  fetch: (request, env, context) => {
    if (!isOurs(request, env)) return worker.fetch(request, env, context);
    const call = CALLS[new URL(request.url).pathname];
    if (call) return answer(() => call(request, env));
    const settings = JSON.parse(request.headers.get(SETTINGS_HEADER) ?? '{}') as Record<string, string>;
    return worker.fetch(request, { ...env, ...settings }, context);
  },
});

const isOurs = (request: Request, { ENTRY_SECRET: secret }: Env): boolean =>
  secret !== undefined && secret !== '' && request.headers.get(SECRET_HEADER) === secret;

type ClinicClass = new (context: DurableObjectState, env: Env) => { alarm(): Promise<void> };

/** A clinic's object whose clock a test can ring, and hold while it wants the vendors for itself. */
export const ringing = (Clinic: ClinicClass): ClinicClass =>
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

    /** The turn that is over when this returns began after the call. */
    ringNow() {
      // A turn that has begun may hold what the next one is to do.
      this.#turn = this.#turn.then(() => super.alarm());
      return this.#turn;
    }

    /** No turn is under way when this returns. */
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
  if (!statement) throw new Error('there is no statement');
  if (call.do === 'first') return call.column === undefined ? statement.first() : statement.first(call.column);
  if (call.do === 'raw') return call.columnNames ? statement.raw({ columnNames: true }) : statement.raw();
  return statement[call.do]();
}
