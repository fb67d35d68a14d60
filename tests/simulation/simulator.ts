import type { Edit } from '#tests/money/cluster/bundle';
import { type NearStorage, openNearStorage } from '#tests/support/near-storage';
import type { Deps } from '#worker/deps';
import type { Log } from '#worker/log';
import { choicesFrom } from './engine/choices.ts';
import type { Timer } from './engine/engine.ts';
import { type Bundle, bundleProduct, loadProduct, type Product } from './product/load.ts';
import { cryptoFrom, KnownFormat, memoryOf, nearStreams } from './product/platform.ts';
import { ACCOUNT, bills, gatewaySetUp, START, staff } from './world/setting.ts';
import { createWorld, type Standing, type World } from './world/world.ts';

/** The judge's own log of all that its rules read, and nothing that the product could see. */
const log = (what: string, id: string, was: string, became: string) =>
  `BEGIN INSERT INTO moves (what, id, was, became) VALUES ('${what}', ${id}, ${was}, ${became}); END`;
const MOVES = [
  'CREATE TABLE moves (seq INTEGER PRIMARY KEY, what TEXT NOT NULL, id TEXT NOT NULL, was TEXT NOT NULL, became TEXT NOT NULL)',
  ...['payment_attempts', 'reversals', 'outbox'].flatMap((table) => [
    `CREATE TRIGGER ${table}_moved AFTER UPDATE OF state ON ${table} WHEN OLD.state <> NEW.state
     ${log(table, 'OLD.id', 'OLD.state', 'NEW.state')}`,
    `CREATE TRIGGER ${table}_began AFTER INSERT ON ${table} ${log(table, 'NEW.id', "''", 'NEW.state')}`,
  ]),
  `CREATE TRIGGER ledger_began AFTER INSERT ON ledger ${log('ledger', 'NEW.provider_txn_id', "''", 'NEW.kind')}`,
  `CREATE TRIGGER invoices_moved AFTER UPDATE OF local_status, collection ON invoices
   WHEN OLD.local_status <> NEW.local_status OR OLD.collection <> NEW.collection
   ${log('invoices', 'NEW.invoice_id', 'OLD.local_status', 'NEW.local_status')}`,
];

/** The product with its databases, made once; each run begins from the same rows and is forgotten afterwards. */
export type Simulator = {
  product: Product;
  /** Of the clinic's object. */
  database: NearStorage;
  /** In the place of the installation's D1. */
  installation: NearStorage;
  standing: Standing;
  inhabit(world: World): void;
  /** When its runs begin (UTC ms). */
  start: number;
  /** The same product, whose runs begin at another time; made once. */
  from(start: number): Promise<Simulator>;
};

/** The product after the given edits, so that a run can show what a guard is for. */
export const createSimulator = async (edits: Edit[] = []): Promise<Simulator> =>
  simulatorOf(await bundleProduct(edits));

export async function simulatorOf(bundle: Bundle): Promise<Simulator> {
  const made = new Map<number, Promise<Simulator>>();
  const from = (start: number): Promise<Simulator> => {
    const known = made.get(start) ?? simulatorFrom(bundle, start, from);
    made.set(start, known);
    return known;
  };
  return from(START);
}

async function simulatorFrom(bundle: Bundle, start: number, from: Simulator['from']): Promise<Simulator> {
  let world: World | undefined;
  const here = (): World => {
    if (!world) throw new Error('no world is under way');
    return world;
  };
  const product = loadProduct(bundle, {
    fetch: (url, init) => here().network.fetch(url, init),
    timeout: (ms) => ({ ms }),
    setTimeout: (run, ms) => here().engine.timer(ms, run),
    clearTimeout: (timer) => (timer as Timer | undefined)?.stop(),
    now: () => here().engine.now(),
    random: () => here().chance(),
    crypto: cryptoFrom(() => here().chance()),
    ...nearStreams,
    DateTimeFormat: KnownFormat,
    memory: (name) => memoryOf(() => here().memory(), name),
  });
  const who = () => here().engine.task()?.isolate.name ?? '';
  Object.assign(product.consoleLog, {
    info(event, fields) {
      here().story.note(who(), `logs ${event} ${JSON.stringify(fields)}`);
      // An alert that the schedule measures.
      if (event === 'trouble-found') here().story.alert(who(), String(fields?.event), fields);
    },
    alert: (event, fields) => here().story.alert(who(), event, fields),
  } satisfies Log);
  const [database, installation] = [openNearStorage(), openNearStorage()];
  for (const statement of bundle.installation) installation.storage.sql.exec(statement);
  const standing = {
    merchant: { sessionId: '', accountId: ACCOUNT, userId: 1, role: 'admin' as const },
    payIds: new Map(),
  };
  const inhabit = (next: World) => {
    world = next;
  };
  const simulator = { product, database, installation, standing, inhabit, start, from };
  await settle(simulator);
  return simulator;
}

/** The account is connected, its terminals boarded, its staff logged in, a link sent for each invoice. */
async function settle({ product, database, installation, standing, inhabit, start }: Simulator): Promise<void> {
  const world = createWorld({
    choices: choicesFrom(0, []),
    product,
    database,
    installation,
    standing,
    isTraced: false,
    overrides: {},
    rotates: false,
    start,
    day: null,
    mayMeet: () => false,
  });
  inhabit(world);
  const make = async (name: string, work: (deps: Deps) => Promise<unknown>) => {
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
  await make('found', (deps) => product.foundClinic(deps, ACCOUNT));
  for (const statement of MOVES) database.storage.sql.exec(statement);
  const account = { accountId: ACCOUNT, name: 'Maple Street Dental', domain: 'maple.example', timeZone: 'UTC' };
  await make('connect', (deps) => product.connectAccount(deps, account, { ...world.grant, scopes: ['oauth'] }, staff));
  const [merchant] = gatewaySetUp.merchants;
  // As its sign-up at the provider leaves it: what becomes of a bank debit is told by this number alone.
  database.storage.sql.exec(
    "INSERT INTO merchants (account_id, name, merchant_number, status, claimed_at) VALUES (?, ?, ?, 'boarded', 0)",
    ...[ACCOUNT, merchant?.name ?? '', merchant?.merchantId ?? ''],
  );
  for (const { terminalId, name, apiKey, publicKey, commerceType } of merchant?.terminals ?? []) {
    const channel = commerceType === 'RETAIL' ? 'counter' : 'ecommerce';
    await make(`board ${terminalId}`, (deps) =>
      product.boardTerminal(deps, { accountId: ACCOUNT, terminalId, name, channel, publicKey, apiKey }),
    );
  }
  await make('session', (deps) =>
    product.openSession(deps, { accountId: ACCOUNT, userId: 1 }, { beganBy: 'crm', label: '' }),
  );
  for (const { invoiceId } of bills)
    await make(`link ${invoiceId}`, async (deps) => {
      const link = await product.issuePayLink(deps, ACCOUNT, invoiceId);
      if (link) standing.payIds.set(invoiceId, link.payId);
    });
  // A turn of its clock that has begun is over before anything is remembered.
  while (!world.engine.isIdle()) await world.engine.step();
  // The CRM's model knows no lists: a sync would only fail each minute, and wake the clinic's clock with it.
  database.storage.sql.exec('UPDATE crm_sync_states SET due_at = ?1, failing_since = NULL', Date.UTC(2100, 0));
  Object.assign(standing.merchant, database.read<{ id: string }>('SELECT id AS sessionId FROM sessions')[0]);
}
