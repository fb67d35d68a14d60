import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ledger, paymentAttempts, users } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import { type Charge, type MailRow, until, type useProduct } from './product.ts';

type Running = ReturnType<typeof useProduct>;
type Bill = Awaited<ReturnType<Running['makeLink']>>;

export type Drill = {
  /** The number of payments after the dump; every tenth one gets no answer from the gateway. */
  payments: number;
  /** False skips reading the gateway's transactions, to prove that the drill can fail. */
  reconciles: boolean;
};

/** `restoreMs`: time until payers could pay again; `ageMs`: age of the dump when the clinic was lost. */
export type DrillResult = {
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

/** Runs an operator program for this product and returns its output. */
const program = ({ appUrl, state }: Running, script: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], {
    env: { ...process.env, PORT: new URL(appUrl).port, TILLWAY_STATE: state },
  }).then(({ stdout }) => stdout);

async function inGroups<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    answers.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return answers;
}

/** Runs tonight's dump now and waits until it has ended. */
async function dumpNow(product: Running, deps: Deps): Promise<void> {
  const endOfDump = () => deps.db.$client.prepare('SELECT ended_at FROM dumps').first<number>('ended_at');
  await product.runSchedule();
  const previousEnd = await until(endOfDump, (at) => at !== null);
  await until(
    async () => {
      await deps.db.$client.prepare('UPDATE dumps SET due_at = 0 WHERE due_at > ?1').bind(Date.now()).run();
      await product.runSchedule();
      return endOfDump();
    },
    (at) => at !== null && at > (previousEnd ?? 0),
    WAIT_MS,
  );
}

/**
 * Dumps a clinic, which then takes more payments and loses all data of its object. The operator's program restores it
 * from the dump, payers press Pay again, and staff confirm the found payments. The gateway's duplicate check is off, so
 * that only the product's own records prevent double charges.
 */
export async function drillRestore(product: Running, { payments, reconciles }: Drill): Promise<DrillResult> {
  const { hubId: account } = product.account;
  await product.set({ dedupe: 'none' });
  let deps = await product.clinic(account);
  await deps.db
    .insert(users)
    .values({ accountId: account, userId: PERSON, email: 'ana@maple.example', role: 'admin', lastLoginAt: 0 })
    .onConflictDoNothing();
  const payOne = async ({ payId }: Bill) => (await product.pay(payId, await product.form())).status;
  const links = (count: number) => inGroups(Array.from({ length: count }), () => product.makeLink());

  const billsBeforeDump = await links(Math.ceil(payments / 10));
  const bills = await links(payments);
  await inGroups(billsBeforeDump, payOne);
  await dumpNow(product, deps);
  const dumpedAt = Date.now();
  for (const [at, bill] of bills.entries()) {
    if (at % 10 === 9) await product.fault('gateway', 'drop-after', { times: 1 });
    await payOne(bill);
  }
  const all = [...billsBeforeDump, ...bills];
  const readCharges = async () => {
    const ids = new Set(all.map(({ invoiceId }) => invoiceId));
    const allCharges = await product.sandbox<Charge[]>('charges');
    return allCharges.filter(({ invoice, result }) => result === 'APPROVED' && ids.has(invoice.replace(/-\d+$/, '')));
  };
  const readMails = async () => {
    const mails = (await Promise.all(all.map(({ email }) => product.mailTo(email)))).flat();
    return new Map(mails.map(({ id, to }: MailRow) => [id, to]));
  };
  const readBooked = async () => {
    const rows = await deps.db.select().from(ledger);
    return new Set(rows.map(({ providerTxnId }) => providerTxnId));
  };
  // Every payment has its outcome and its receipt before the clinic is lost.
  const isDone = async () => {
    await product.runSchedule();
    const [booked, charges, mails] = [await readBooked(), await readCharges(), await readMails()];
    return charges.length === all.length && charges.every(({ id }) => booked.has(id)) && mails.size >= all.length;
  };
  await until(isDone, Boolean, WAIT_MS);
  const mailsBefore = await readMails();

  const lostAt = Date.now();
  await product.installation().clinics.erase(deps.clinic);
  await program(product, 'clinic', 'restore', String(account), '--dump', 'latest');
  deps = await product.clinic(account);
  if (reconciles) {
    await until(
      async () => {
        await inGroups(bills.slice(0, 2), payOne);
        await product.runSchedule();
        return program(product, 'clinic', 'inspect', String(account));
      },
      (output) => output.includes('online payments: on'),
      WAIT_MS,
    );
  } else {
    await deps.db.$client.batch([
      deps.db.$client.prepare('UPDATE accounts SET restored_at = NULL'),
      deps.db.$client.prepare('UPDATE reconciliation_cursors SET next_at = ?1').bind(Date.now() + 86_400_000),
    ]);
  }
  const restoreMs = Date.now() - lostAt;

  const retriedBills = bills.slice(-Math.ceil(payments / 8));
  await inGroups(retriedBills, payOne);
  const merchant = { sessionId: 's', accountId: account, userId: PERSON, role: 'admin' } as const;
  const reviewed = (await deps.db.select().from(paymentAttempts)).filter(({ state }) => state === 'needs_human');
  for (const { id } of reviewed)
    await resolvePayment(deps, merchant, id, { verdict: 'charged', note: 'On the provider’s list.' });
  await inGroups(retriedBills, payOne);
  await product.runSchedule();

  const [booked, charges, mailsAfter] = [await readBooked(), await readCharges(), await readMails()];
  const perInvoice = Map.groupBy(charges, ({ invoice }) => invoice);
  return {
    missing: charges.filter(({ id }) => !booked.has(id)).length,
    doubled: [...perInvoice.values()].filter(({ length }) => length > 1).length,
    mailsRepeated: [...mailsAfter.keys()].filter((id) => !mailsBefore.has(id)).length,
    foundByHand: reviewed.length,
    restoreMs,
    ageMs: lostAt - dumpedAt,
  };
}
