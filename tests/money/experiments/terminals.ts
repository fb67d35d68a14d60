import { hubs, terminals } from '#sandbox/credentials';
import type { SaleReply } from '#shared/contracts/payments/terminals';
import type { Knobs, Point } from '../cluster/knobs.ts';
import { violations, violationsNow } from '../invariants.ts';
import { runUntilQuiet, until } from '../quiet.ts';
import { dedupeKey, extraCharges, lostCharges, readCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { addBills, type Bill, cardToken, newTestWorker, pay, type TestWorker } from '../test-worker.ts';

const [account] = hubs;
export const desks = terminals.filter(
  ({ hubId: accountId, channel }) => accountId === account.hubId && channel === 'counter',
);

export type CounterTerminal = (typeof desks)[number];
const deskOf = (n: number): CounterTerminal => {
  const desk = desks[n % desks.length];
  if (!desk) throw new Error('the sandbox has no counter terminal');
  return desk;
};

/** `code`: the reason why no sale was started. */
type Started = { status: number; saleId: string | null; code: string };

export const logIn = async ({ clusterWorld }: TestWorker): Promise<string> =>
  (await clusterWorld.steer<{ accessToken: string }>('session', { accountId: account.hubId })).accessToken;

type SaleRequest = { token?: string; knobs?: Knobs };

/** Starts a sale as staff at a terminal. Status 0: the connection broke before an answer came. */
export async function startSale(
  testWorker: TestWorker,
  desk: CounterTerminal,
  bill: Bill,
  { token, knobs = {} }: SaleRequest = {},
): Promise<Started> {
  const { clusterWorld } = testWorker;
  const headers = {
    authorization: `Bearer ${token ?? (await logIn(testWorker))}`,
    'content-type': 'application/json',
  };
  try {
    const response = await clusterWorld.call(
      `/api/terminals/${desk.terminalId}/sales`,
      { method: 'POST', headers, body: JSON.stringify({ invoiceId: bill.id }) },
      knobs,
    );
    const body = (await response.json()) as Partial<SaleReply> & { error?: { code: string } };
    return { status: response.status, saleId: body.sale?.id ?? null, code: body.error?.code ?? '' };
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    return { status: 0, saleId: null, code: '' };
  }
}

const stateOf = async ({ clusterWorld }: TestWorker, bill: Bill): Promise<string[]> =>
  (await clusterWorld.sql<{ state: string }>('SELECT state FROM payment_attempts WHERE invoice_id = ?', bill.id)).map(
    ({ state }) => state,
  );

/** True if no sale waits on a device or is being written. */
const isSettled = async (testWorker: TestWorker, bill: Bill) => !(await stateOf(testWorker, bill)).includes('sent');

/**
 * A card reader and a payer charge one invoice at the same moment, repeatedly, on every terminal at once. The gateway's
 * duplicate check is off, and each card reader finds a card as soon as a sale starts.
 */
export async function deskAndLink(testWorker: TestWorker, rounds = sized(200, 12)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none', auto_tap: true });
  const bills = await addBills(testWorker, rounds);
  const errors: string[] = [];
  const winners: string[] = [];
  const raceAtTerminal = async (from: number) => {
    for (let round = from; round < rounds; round += desks.length) {
      const bill = bills[round];
      if (!bill) continue;
      const [token, card] = await Promise.all([logIn(testWorker), cardToken(testWorker)]);
      // A payment does more work before its claim, so it gets a head start of up to three calls to the clinic.
      const payment = pay(testWorker, bill, { token: card });
      for (let trips = 0; trips < round % 4; trips++) await clusterWorld.sql('SELECT 1');
      const [sale, paid] = await Promise.all([startSale(testWorker, deskOf(from), bill, { token }), payment]);
      await until('the sale is over', () => isSettled(testWorker, bill));
      if (sale.status !== 202 && sale.status !== 409) errors.push(`${bill.number}: the terminal got ${sale.status}`);
      const { length } = (await stateOf(testWorker, bill)).filter((state) => state === 'approved');
      if (length !== 1) errors.push(`${bill.number} was charged ${length} times`);
      if ((sale.status === 202) === (paid.status === 200)) {
        errors.push(`${bill.number}: the terminal got ${sale.status} and the payer ${paid.status}`);
      }
      winners.push(sale.status === 202 ? 'desk' : 'link');
    }
  };
  await Promise.all(desks.map((_desk, n) => raceAtTerminal(n)));
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: 'terminal and link race on one invoice',
    size: `${rounds} rounds`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: String(await uncheckedRace(testWorker)),
    note: `won by ${countOf(winners)}`,
    violations: [...errors, ...(await violations(testWorker, records))],
  };
}

/** The same race between a card reader and the naive payment, which ignore each other. Returns the extra charges. */
async function uncheckedRace({ clusterWorld }: TestWorker, rounds = 3): Promise<number> {
  const testWorker = newTestWorker(clusterWorld);
  const bills = await addBills(testWorker, rounds);
  for (const bill of bills) {
    const token = await cardToken(testWorker);
    await Promise.all([
      startSale(testWorker, deskOf(0), bill),
      clusterWorld.steer('naive', { payId: bill.payId, token }),
    ]);
    await until('the sale is over', () => isSettled(testWorker, bill));
  }
  const terminalCharges = await readCharges(clusterWorld, bills);
  const naiveCharges = await readCharges(clusterWorld, bills, ({ payId }) => `naive-${payId}`);
  return terminalCharges.length + naiveCharges.length - rounds;
}

/** The point where the call to the card reader is cut, and the later action at the device without a caller. */
type Interruption = { point: Point | 'line'; later: 'tap' | 'cancel' };

const cuts: Interruption[] = [
  { point: 'line', later: 'tap' },
  { point: 'mid-gateway', later: 'tap' },
  { point: 'mid-gateway', later: 'cancel' },
  { point: 'after-gateway', later: 'tap' },
  { point: 'mid-batch', later: 'tap' },
  { point: 'after-claim', later: 'cancel' },
  { point: 'reconcile-mid-batch', later: 'tap' },
  { point: 'line', later: 'cancel' },
  { point: 'after-batch', later: 'tap' },
  { point: 'reconcile-after-find', later: 'tap' },
];

/** Cuts the call to a card reader at every point: its connection breaks or the Worker is killed. */
export async function cutSales(testWorker: TestWorker, rounds = sized(50, 7)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none', auto_tap: false });
  const errors: string[] = [];
  const statesAfterCut: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const cut = cuts[round % cuts.length];
    const [bill] = await addBills(testWorker, 1);
    if (!cut || !bill) continue;
    await cutOnce(testWorker, deskOf(round), bill, cut);
    errors.push(...(await violationsNow(testWorker)));
    statesAfterCut.push((await stateOf(testWorker, bill)).join(' ') || 'nothing');
    const { bookedAfter } = await runUntilQuiet(testWorker);
    if (bookedAfter === null) errors.push(`${bill.number}: not in the ledger after two passes of the cron`);
    errors.push(...(await sellUntilPaid(testWorker, deskOf(round), bill)));
  }
  const records = await readRecords(testWorker);
  return {
    experiment: 'the call to a card reader is cut',
    size: `${rounds} rounds`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `left ${countOf(statesAfterCut)}`,
    violations: [...errors, ...(await violations(testWorker, records))],
  };
}

async function cutOnce(
  testWorker: TestWorker,
  desk: CounterTerminal,
  bill: Bill,
  { point, later }: Interruption,
): Promise<void> {
  const { clusterWorld } = testWorker;
  const touch = (action: string) => clusterWorld.sandbox('POST', `terminals/${desk.terminalId}`, { do: action });
  const isWaiting = async () =>
    (await clusterWorld.sandbox<{ waiting: object | null }>('GET', `terminals/${desk.terminalId}`)).waiting !== null;
  const isReconciling = point.startsWith('reconcile');
  const stopAt = point === 'line' || isReconciling ? {} : { stopAt: point as Point };
  const sale = startSale(testWorker, desk, bill, { knobs: stopAt });
  if (point !== 'after-claim') await until('the card reader waits', isWaiting);
  if (point === 'line' || isReconciling) {
    await sale;
    await touch('cut');
    await until('the sale is over', () => isSettled(testWorker, bill));
    await touch(later);
    if (isReconciling) await killWhileReconciling(testWorker, point as Point);
    return;
  }
  const isAnswered = point === 'after-gateway' || point === 'mid-batch' || point === 'after-batch';
  if (isAnswered) await touch(later);
  await clusterWorld.control.waitFor(point, 1);
  await clusterWorld.kill();
  await clusterWorld.restart();
  await sale;
  if (point === 'mid-gateway') await touch(later);
}

async function killWhileReconciling({ clusterWorld }: TestWorker, point: Point): Promise<void> {
  clusterWorld.clockMs += 60_000;
  const pass = clusterWorld.steer('schedule', {}, { stopAt: point }).catch(() => undefined);
  await clusterWorld.control.waitFor(point, 1);
  await clusterWorld.kill();
  await clusterWorld.restart();
  await pass;
}

/** Lets an uncharged payer tap again. Returns the errors of the end state: there must be exactly one payment. */
async function sellUntilPaid(testWorker: TestWorker, desk: CounterTerminal, bill: Bill): Promise<string[]> {
  const { clusterWorld } = testWorker;
  const previousCharges = await readCharges(clusterWorld, [bill]);
  if (previousCharges.length === 0) {
    await clusterWorld.sandbox('POST', 'settings', { auto_tap: true });
    const { status } = await startSale(testWorker, desk, bill);
    if (status !== 202) return [`${dedupeKey(bill)} could not be sold again: ${status}`];
    await until('the sale is over', () => isSettled(testWorker, bill));
    await clusterWorld.sandbox('POST', 'settings', { auto_tap: false });
    await runUntilQuiet(testWorker);
  }
  const { ledger } = await readRecords(testWorker);
  const booked = ledger.filter((row) => row.invoice_id === bill.id).length;
  return booked === 1 ? [] : [`${dedupeKey(bill)} has ${booked} ledger entries at the end`];
}
