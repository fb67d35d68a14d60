import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ledger, paymentAttempts, users } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import { type Charge, type MailRow, until, type useProduct } from './product.ts';

type Running = ReturnType<typeof useProduct>;
type Bill = Awaited<ReturnType<Running['makeLink']>>;

export type Drill = {
  /** Payments after the dump, of which each tenth gets no answer from the gateway. */
  payments: number;
  /** False leaves the reading of the gateway out, as a restore without it would be: to see that the drill can fail. */
  reconciles: boolean;
};

/** `restoreMs`: until payers could pay again; `ageMs`: how old the dump was when the clinic was lost. */
export type Drilled = {
  missing: number;
  doubled: number;
  mailsRepeated: number;
  foundByHand: number;
  restoreMs: number;
  ageMs: number;
};

const PERSON = 7707;
const WAIT_MS = 300_000;
const AT_ONCE = 4;

/** A program of the operator at this product; throws with what it said. */
const program = ({ appUrl, state }: Running, script: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], {
    env: { ...process.env, PORT: new URL(appUrl).port, TILLWAY_STATE: state },
  }).then(({ stdout }) => stdout);

async function inGroups<T, R>(some: T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let at = 0; at < some.length; at += AT_ONCE)
    answers.push(...(await Promise.all(some.slice(at, at + AT_ONCE).map(work))));
  return answers;
}

/** Lets tonight's dump begin now, and end. */
async function dumpNow(product: Running, deps: Deps): Promise<void> {
  const ended = () => deps.db.$client.prepare('SELECT ended_at FROM dumps').first<number>('ended_at');
  await product.runSchedule();
  const before = await until(ended, (at) => at !== null);
  await until(
    async () => {
      await deps.db.$client.prepare('UPDATE dumps SET due_at = 0 WHERE due_at > ?1').bind(Date.now()).run();
      await product.runSchedule();
      return ended();
    },
    (at) => at !== null && at > (before ?? 0),
    WAIT_MS,
  );
}

/**
 * A clinic is dumped and goes on taking payments; then its object loses all it has. It is put back from the dump by the
 * operator's program, payers press once more, and what was found is confirmed by a person. The gateway's duplicate check
 * is off, so nothing but our own books keeps a card from being charged twice.
 */
export async function drillRestore(product: Running, { payments, reconciles }: Drill): Promise<Drilled> {
  const { hubId: account } = product.account;
  await product.set({ dedupe: 'none' });
  let own = await product.clinic(account);
  await own.db
    .insert(users)
    .values({ accountId: account, userId: PERSON, email: 'ana@maple.example', role: 'admin', lastLoginAt: 0 })
    .onConflictDoNothing();
  const payOne = async ({ payId }: Bill) => (await product.pay(payId, await product.form())).status;
  const links = (count: number) => inGroups(Array.from({ length: count }), () => product.makeLink());

  const early = await links(Math.ceil(payments / 10));
  const bills = await links(payments);
  await inGroups(early, payOne);
  await dumpNow(product, own);
  const dumpedAt = Date.now();
  for (const [at, bill] of bills.entries()) {
    if (at % 10 === 9) await product.fault('gateway', 'drop-after', { times: 1 });
    await payOne(bill);
  }
  const all = [...early, ...bills];
  const charged = async () => {
    const ids = new Set(all.map(({ invoiceId }) => invoiceId));
    const every = await product.sandbox<Charge[]>('charges');
    return every.filter(({ invoice, result }) => result === 'APPROVED' && ids.has(invoice.replace(/-\d+$/, '')));
  };
  const mailed = async () => {
    const mails = (await Promise.all(all.map(({ email }) => product.mailTo(email)))).flat();
    return new Map(mails.map(({ id, to }: MailRow) => [id, to]));
  };
  const booked = async () => new Set((await own.db.select().from(ledger)).map(({ providerTxnId }) => providerTxnId));
  // Every payment has its outcome and its receipt before the clinic is lost.
  const isDone = async () => {
    await product.runSchedule();
    const [known, charges, mails] = [await booked(), await charged(), await mailed()];
    return charges.length === all.length && charges.every(({ id }) => known.has(id)) && mails.size >= all.length;
  };
  await until(isDone, Boolean, WAIT_MS);
  const mailsBefore = await mailed();

  const lostAt = Date.now();
  await product.installation().clinics.erase(own.clinic);
  await program(product, 'clinic', 'restore', String(account), '--dump', 'latest');
  own = await product.clinic(account);
  if (reconciles) {
    await until(
      async () => {
        await inGroups(bills.slice(0, 2), payOne);
        await product.runSchedule();
        return program(product, 'clinic', 'inspect', String(account));
      },
      (said) => said.includes('online payments: on'),
      WAIT_MS,
    );
  } else {
    await own.db.$client.batch([
      own.db.$client.prepare('UPDATE accounts SET restored_at = NULL'),
      own.db.$client.prepare('UPDATE reconciliation_cursors SET next_at = ?1').bind(Date.now() + 86_400_000),
    ]);
  }
  const restoreMs = Date.now() - lostAt;

  const again = bills.slice(-Math.ceil(payments / 8));
  await inGroups(again, payOne);
  const merchant = { sessionId: 's', accountId: account, userId: PERSON, role: 'admin' } as const;
  const open = (await own.db.select().from(paymentAttempts)).filter(({ state }) => state === 'needs_human');
  for (const { id } of open)
    await resolvePayment(own, merchant, id, { verdict: 'charged', note: 'On the provider’s list.' });
  await inGroups(again, payOne);
  await product.runSchedule();

  const [known, charges, mailsAfter] = [await booked(), await charged(), await mailed()];
  const perInvoice = Map.groupBy(charges, ({ invoice }) => invoice);
  return {
    missing: charges.filter(({ id }) => !known.has(id)).length,
    doubled: [...perInvoice.values()].filter(({ length }) => length > 1).length,
    mailsRepeated: [...mailsAfter.keys()].filter((id) => !mailsBefore.has(id)).length,
    foundByHand: open.length,
    restoreMs,
    ageMs: lostAt - dumpedAt,
  };
}
