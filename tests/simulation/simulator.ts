import type { Edit } from '#tests/money/cluster/bundle';
import { type NearStorage, openNearStorage } from '#tests/support/near-storage';
import type { Deps } from '#worker/deps';
import type { Log } from '#worker/log';
import { choicesFrom } from './engine/choices.ts';
import type { Timer } from './engine/engine.ts';
import { type Bundle, bundleProduct, loadProduct, type Product } from './product/load.ts';
import { CachedDateTimeFormat, cryptoFrom, memoryOf, syncStreams } from './product/platform.ts';
import { ACCOUNT, bills, gatewaySetUp, START, staff } from './world/setting.ts';
import { createWorld, type InitialRecords, type World } from './world/world.ts';

/** Trigger body that logs a change of state for the judge; the product cannot see the log. */
const logMove = (table: string, id: string, was: string, became: string) =>
  `BEGIN INSERT INTO moves (what, id, was, became) VALUES ('${table}', ${id}, ${was}, ${became}); END`;
const MOVES = [
  'CREATE TABLE moves (seq INTEGER PRIMARY KEY, what TEXT NOT NULL, id TEXT NOT NULL, was TEXT NOT NULL, became TEXT NOT NULL)',
  ...['payment_attempts', 'reversals', 'outbox'].flatMap((table) => [
    `CREATE TRIGGER ${table}_moved AFTER UPDATE OF state ON ${table} WHEN OLD.state <> NEW.state
     ${logMove(table, 'OLD.id', 'OLD.state', 'NEW.state')}`,
    `CREATE TRIGGER ${table}_began AFTER INSERT ON ${table} ${logMove(table, 'NEW.id', "''", 'NEW.state')}`,
  ]),
  `CREATE TRIGGER ledger_began AFTER INSERT ON ledger ${logMove('ledger', 'NEW.provider_txn_id', "''", 'NEW.kind')}`,
  `CREATE TRIGGER invoices_moved AFTER UPDATE OF local_status, collection ON invoices
   WHEN OLD.local_status <> NEW.local_status OR OLD.collection <> NEW.collection
   ${logMove('invoices', 'NEW.invoice_id', 'OLD.local_status', 'NEW.local_status')}`,
];

/** The product with its databases, set up once. Each run starts from the same rows and is rolled back afterwards. */
export type Simulator = {
  product: Product;
  /** The database of the clinic's object. */
  database: NearStorage;
  /** Stands in for the installation's D1. */
  installation: NearStorage;
  initialRecords: InitialRecords;
  /** Sets the world that the product runs in. */
  setWorld(world: World): void;
  /** Start time of its runs (UTC ms). */
  start: number;
  /** The same product with runs that start at another time; cached. */
  startingAt(start: number): Promise<Simulator>;
};

/** The product after edits that remove guards, so that a run can show the purpose of a guard. */
export const createSimulator = async (edits: Edit[] = []): Promise<Simulator> =>
  simulatorOf(await bundleProduct(edits));

export async function simulatorOf(bundle: Bundle): Promise<Simulator> {
  const cache = new Map<number, Promise<Simulator>>();
  const startingAt = (start: number): Promise<Simulator> => {
    const simulator = cache.get(start) ?? buildSimulator(bundle, start, startingAt);
    cache.set(start, simulator);
    return simulator;
  };
  return startingAt(START);
}

async function buildSimulator(bundle: Bundle, start: number, startingAt: Simulator['startingAt']): Promise<Simulator> {
  let world: World | undefined;
  const currentWorld = (): World => {
    if (!world) throw new Error('no world is set');
    return world;
  };
  const product = loadProduct(bundle, {
    fetch: (url, init) => currentWorld().network.fetch(url, init),
    timeout: (ms) => ({ ms }),
    setTimeout: (run, ms) => currentWorld().engine.timer(ms, run),
    clearTimeout: (timer) => (timer as Timer | undefined)?.stop(),
    now: () => currentWorld().engine.now(),
    random: () => currentWorld().chance(),
    crypto: cryptoFrom(() => currentWorld().chance()),
    ...syncStreams,
    DateTimeFormat: CachedDateTimeFormat,
    memory: (name) => memoryOf(() => currentWorld().memory(), name),
  });
  const actor = () => currentWorld().engine.task()?.isolate.name ?? '';
  Object.assign(product.consoleLog, {
    info(event, fields) {
      currentWorld().story.note(actor(), `logs ${event} ${JSON.stringify(fields)}`);
      // The schedule raises this alert from a measurement.
      if (event === 'trouble-found') currentWorld().story.alert(actor(), String(fields?.event), fields);
    },
    alert: (event, fields) => currentWorld().story.alert(actor(), event, fields),
  } satisfies Log);
  const [database, installation] = [openNearStorage(), openNearStorage()];
  for (const statement of bundle.installation) installation.storage.sql.exec(statement);
  const initialRecords = {
    merchant: { sessionId: '', accountId: ACCOUNT, userId: 1, role: 'admin' as const },
    payIds: new Map(),
  };
  const setWorld = (next: World) => {
    world = next;
  };
  const simulator = { product, database, installation, initialRecords, setWorld, start, startingAt };
  await setUpAccount(simulator);
  return simulator;
}

/** Connects the account, boards its terminals, logs in its staff and issues a pay link for each invoice. */
async function setUpAccount(simulator: Simulator): Promise<void> {
  const { product, database, installation, initialRecords, setWorld, start } = simulator;
  const world = createWorld({
    choices: choicesFrom(0, []),
    product,
    database,
    installation,
    initialRecords,
    isTraced: false,
    overrides: {},
    rotates: false,
    start,
    day: null,
    mayMeet: () => false,
  });
  setWorld(world);
  const runTask = async (name: string, work: (deps: Deps) => Promise<unknown>) => {
    let outcome: unknown;
    let isOver = false;
    world.engine.later(0, () =>
      world.ask(name, work, (answer) => {
        outcome = answer;
        isOver = true;
      }),
    );
    while (!isOver) await world.engine.step();
    if (outcome instanceof Error) throw outcome;
  };
  await runTask('found', (deps) => product.findOrCreateClinic(deps, ACCOUNT));
  for (const statement of MOVES) database.storage.sql.exec(statement);
  const account = { accountId: ACCOUNT, name: 'Maple Street Dental', domain: 'maple.example', timeZone: 'UTC' };
  await runTask('connect', (deps) =>
    product.connectAccount(deps, account, { ...world.grant, scopes: ['oauth'] }, staff),
  );
  database.storage.sql.exec('UPDATE accounts SET takes_apple_pay = 1, takes_google_pay = 1');
  const [merchant] = gatewaySetUp.merchants;
  // As the sign-up at the provider leaves it. Notices about bank debits identify the merchant only by this number.
  database.storage.sql.exec(
    "INSERT INTO merchants (account_id, name, merchant_number, status, claimed_at) VALUES (?, ?, ?, 'boarded', 0)",
    ...[ACCOUNT, merchant?.name ?? '', merchant?.merchantId ?? ''],
  );
  for (const { terminalId, name, apiKey, publicKey, commerceType } of merchant?.terminals ?? []) {
    const channel = commerceType === 'RETAIL' ? 'counter' : 'ecommerce';
    await runTask(`board ${terminalId}`, (deps) =>
      product.boardTerminal(deps, { accountId: ACCOUNT, terminalId, name, channel, publicKey, apiKey }),
    );
  }
  await runTask('session', (deps) =>
    product.openSession(deps, { accountId: ACCOUNT, userId: 1 }, { beganBy: 'crm', label: '' }),
  );
  for (const { invoiceId } of bills)
    await runTask(`link ${invoiceId}`, async (deps) => {
      const link = await product.issuePayLink(deps, ACCOUNT, invoiceId);
      if (link) initialRecords.payIds.set(invoiceId, link.payId);
    });
  // Waits until a started turn of the clinic's clock is over before the rows are saved.
  while (!world.engine.isIdle()) await world.engine.step();
  // The CRM's model has no lists: a sync would only fail each minute and wake the clinic's clock.
  database.storage.sql.exec('UPDATE crm_sync_states SET due_at = ?1, failing_since = NULL', Date.UTC(2100, 0));
  Object.assign(initialRecords.merchant, database.read<{ id: string }>('SELECT id AS sessionId FROM sessions')[0]);
}
