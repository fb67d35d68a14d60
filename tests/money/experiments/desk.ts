import { hubs, terminals } from '#sandbox/credentials';
import type { SaleReply } from '#shared/contracts/desk';
import type { Knobs, Point } from '../farm/knobs.ts';
import { violations, violationsNow } from '../invariants.ts';
import { becomeQuiet, until } from '../quiet.ts';
import { dedupeKey, extraCharges, lostCharges, readCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { addBills, type Bill, cardToken, newTill, pay, type Till } from '../till.ts';

const [hub] = hubs;
export const desks = terminals.filter(({ hubId, channel }) => hubId === hub.hubId && channel === 'counter');

export type Desk = (typeof desks)[number];
const deskOf = (n: number): Desk => {
  const desk = desks[n % desks.length];
  if (!desk) throw new Error('the sandbox has no counter terminal');
  return desk;
};

/** `code`: why nothing was started. */
type Started = { status: number; saleId: string | null; code: string };

export const logIn = async ({ farm }: Till): Promise<string> =>
  (await farm.steer<{ accessToken: string }>('session', { hubId: hub.hubId })).accessToken;

type Press = { token?: string; knobs?: Knobs };

/** Somebody at the desk presses the button. 0: the connection broke before an answer came. */
export async function startSale(
  till: Till,
  desk: Desk,
  bill: Bill,
  { token, knobs = {} }: Press = {},
): Promise<Started> {
  const { farm } = till;
  const headers = {
    authorization: `Bearer ${token ?? (await logIn(till))}`,
    'content-type': 'application/json',
  };
  try {
    const response = await farm.call(
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

const stateOf = async ({ farm }: Till, bill: Bill): Promise<string[]> =>
  (await farm.sql<{ state: string }>('SELECT state FROM payment_attempts WHERE invoice_id = ?', bill.id)).map(
    ({ state }) => state,
  );

/** No sale waits on a device any more, and none is being written. */
const isSettled = async (till: Till, bill: Bill) => !(await stateOf(till, bill)).includes('sent');

/**
 * A card reader and a payer go for one invoice at the same moment, again and again, on every desk at once. The gateway's own
 * duplicate check is off, and each card reader finds a card as soon as it is asked.
 */
export async function deskAndLink(till: Till, rounds = sized(200, 12)): Promise<Figures> {
  const { farm } = till;
  await farm.sandbox('POST', 'settings', { dedupe: 'none', auto_tap: true });
  const bills = await addBills(till, rounds);
  const wrong: string[] = [];
  const winners: string[] = [];
  const lane = async (from: number) => {
    for (let round = from; round < rounds; round += desks.length) {
      const bill = bills[round];
      if (!bill) continue;
      const [token, card] = await Promise.all([logIn(till), cardToken(till)]);
      // A payment has less to do before it claims: it gives the desk a start in every other round.
      const selling = startSale(till, deskOf(from), bill, { token });
      if (round % 4 > 1) await farm.sql('SELECT 1');
      const [sale, paid] = await Promise.all([selling, pay(till, bill, { token: card })]);
      await until('the sale is over', () => isSettled(till, bill));
      if (sale.status !== 202 && sale.status !== 409) wrong.push(`${bill.number}: the desk was told ${sale.status}`);
      const { length } = (await stateOf(till, bill)).filter((state) => state === 'approved');
      if (length !== 1) wrong.push(`${bill.number} was won ${length} times`);
      if ((sale.status === 202) === (paid.status === 200)) {
        wrong.push(`${bill.number}: the desk was told ${sale.status} and the payer ${paid.status}`);
      }
      winners.push(sale.status === 202 ? 'desk' : 'link');
    }
  };
  await Promise.all(desks.map((_desk, n) => lane(n)));
  await becomeQuiet(till);
  const records = await readRecords(till);
  return {
    experiment: 'desk and link race on one invoice',
    size: `${rounds} rounds`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: String(await uncheckedRace(till)),
    note: `won by ${countOf(winners)}`,
    violations: [...wrong, ...(await violations(till, records))],
  };
}

/** The same race between a card reader and a payment that looks, charges, and then notes: neither sees the other. */
async function uncheckedRace({ farm }: Till, rounds = 3): Promise<number> {
  const till = newTill(farm);
  const bills = await addBills(till, rounds);
  for (const bill of bills) {
    const token = await cardToken(till);
    await Promise.all([startSale(till, deskOf(0), bill), farm.steer('naive', { payId: bill.payId, token })]);
    await until('the sale is over', () => isSettled(till, bill));
  }
  const own = await readCharges(farm, bills);
  const naive = await readCharges(farm, bills, ({ payId }) => `naive-${payId}`);
  return own.length + naive.length - rounds;
}

/** Where the call to the card reader is cut, and what happens at the device afterwards, when nobody listens any more. */
type Cut = { point: Point | 'line'; later: 'tap' | 'cancel' };

const cuts: Cut[] = [
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

/** The call to a card reader is cut, by the line or with the Worker, at every point of its way. */
export async function cutSales(till: Till, rounds = sized(50, 7)): Promise<Figures> {
  const { farm } = till;
  await farm.sandbox('POST', 'settings', { dedupe: 'none', auto_tap: false });
  const wrong: string[] = [];
  const left: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const cut = cuts[round % cuts.length];
    const [bill] = await addBills(till, 1);
    if (!cut || !bill) continue;
    await cutOnce(till, deskOf(round), bill, cut);
    wrong.push(...(await violationsNow(till)));
    left.push((await stateOf(till, bill)).join(' ') || 'nothing');
    const { bookedAfter } = await becomeQuiet(till);
    if (bookedAfter === null) wrong.push(`${bill.number}: not booked after two passes of the cron`);
    wrong.push(...(await sellUntilPaid(till, deskOf(round), bill)));
  }
  const records = await readRecords(till);
  return {
    experiment: 'the call to a card reader is cut',
    size: `${rounds} rounds`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `left ${countOf(left)}`,
    violations: [...wrong, ...(await violations(till, records))],
  };
}

async function cutOnce(till: Till, desk: Desk, bill: Bill, { point, later }: Cut): Promise<void> {
  const { farm } = till;
  const touch = (action: string) => farm.sandbox('POST', `terminals/${desk.terminalId}`, { do: action });
  const isWaiting = async () =>
    (await farm.sandbox<{ waiting: object | null }>('GET', `terminals/${desk.terminalId}`)).waiting !== null;
  const isReconciling = point.startsWith('reconcile');
  const stopAt = point === 'line' || isReconciling ? {} : { stopAt: point as Point };
  const going = startSale(till, desk, bill, { knobs: stopAt });
  if (point !== 'after-claim') await until('the card reader waits', isWaiting);
  if (point === 'line' || isReconciling) {
    await going;
    await touch('cut');
    await until('the sale is over', () => isSettled(till, bill));
    await touch(later);
    if (isReconciling) await dieWhileReconciling(till, point as Point);
    return;
  }
  const isAnswered = point === 'after-gateway' || point === 'mid-batch' || point === 'after-batch';
  if (isAnswered) await touch(later);
  await farm.control.waitFor(point, 1);
  await farm.kill();
  await farm.restart();
  await going;
  if (point === 'mid-gateway') await touch(later);
}

async function dieWhileReconciling({ farm }: Till, point: Point): Promise<void> {
  farm.clockMs += 60_000;
  const pass = farm.steer('schedule', {}, { stopAt: point }).catch(() => undefined);
  await farm.control.waitFor(point, 1);
  await farm.kill();
  await farm.restart();
  await pass;
}

/** Once all is quiet, whoever was not charged taps again. Answers what is wrong with the end: one payment it must be. */
async function sellUntilPaid(till: Till, desk: Desk, bill: Bill): Promise<string[]> {
  const { farm } = till;
  const before = await readCharges(farm, [bill]);
  if (before.length === 0) {
    await farm.sandbox('POST', 'settings', { auto_tap: true });
    const { status } = await startSale(till, desk, bill);
    if (status !== 202) return [`${dedupeKey(bill)} could not be sold again: ${status}`];
    await until('the sale is over', () => isSettled(till, bill));
    await farm.sandbox('POST', 'settings', { auto_tap: false });
    await becomeQuiet(till);
  }
  const { ledger } = await readRecords(till);
  const booked = ledger.filter((row) => row.invoice_id === bill.id).length;
  return booked === 1 ? [] : [`${dedupeKey(bill)} was booked ${booked} times in the end`];
}
