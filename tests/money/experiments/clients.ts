import type { PaidTransaction, PaymentStatus } from '#shared/contracts/payments/payment-answers';
import type { SaleReply, TerminalSale } from '#shared/contracts/payments/terminals';
import { parseCents } from '#shared/money';
import { paymentStatusApi } from '#shared/paths';
import type { ClientAnswer } from '../compare-answers.ts';
import { until } from '../quiet.ts';
import {
  type Answer,
  type Bill,
  CARD,
  cardToken,
  DECLINED_CARD,
  pay,
  runCron,
  type TestWorker,
} from '../test-worker.ts';
import { type CounterTerminal, logIn, startSale } from './terminals.ts';

const MINUTE = 60_000;
/** The most times that staff press for one invoice, because a reader stays busy for several cron passes. */
const MOST_PRESSES = 8;

/** Payers and staff at terminals, with a record of every answer they get. */
export function clientsOf(testWorker: TestWorker) {
  const { clusterWorld } = testWorker;
  const clientAnswers: ClientAnswer[] = [];
  const sales: { bill: Bill; saleId: string }[] = [];

  function record(
    bill: Bill,
    outcome: ClientAnswer['outcome'],
    request: ClientAnswer['request'],
    transaction: PaidTransaction | null = null,
  ) {
    const figures = transaction && { id: transaction.id, amountCents: parseCents(transaction.amount) ?? 0 };
    clientAnswers.push({ bill, outcome, request, transaction: figures });
  }

  function recordAnswer(bill: Bill, { status, body, token }: Answer) {
    if (status === 0) return;
    const outcome = status === 200 ? 'paid' : status === 202 ? 'open' : 'not-charged';
    record(bill, outcome, { token }, body?.payload.transaction);
  }

  function recordSale(bill: Bill, sale: TerminalSale): ClientAnswer['outcome'] {
    const isOpen = ['waiting', 'unknown', 'needs-a-person'].includes(sale.state);
    const outcome = sale.state === 'approved' ? 'paid' : isOpen ? 'open' : 'not-charged';
    record(bill, outcome, { saleId: sale.id }, sale.transaction);
    return outcome;
  }

  async function readStatus({ payId }: Bill) {
    const response = await clusterWorld.call(paymentStatusApi(payId));
    const { state, transaction } = (await response.json()) as PaymentStatus;
    const isNone = state === 'none' || state === 'declined';
    return { outcome: state === 'paid' ? 'paid' : isNone ? 'not-charged' : 'open', transaction } as const;
  }

  async function readSale(saleId: string, token: string): Promise<TerminalSale> {
    const response = await clusterWorld.call(`/api/sales/${saleId}`, { headers: { authorization: `Bearer ${token}` } });
    if (response.status !== 200) throw new Error(`the sale cannot be read: ${response.status}`);
    return ((await response.json()) as SaleReply).sale;
  }

  /** Acts at the device as soon as it waits for a card, and follows the sale to its end. */
  async function finish(
    { terminalId }: CounterTerminal,
    saleId: string,
    token: string,
    touch: string,
  ): Promise<TerminalSale> {
    let sale = await readSale(saleId, token);
    const isOver = async () => {
      const { waiting } = await clusterWorld.sandbox<{ waiting: object | null }>('GET', `terminals/${terminalId}`);
      if (waiting) await clusterWorld.sandbox('POST', `terminals/${terminalId}`, { do: touch });
      sale = await readSale(saleId, token);
      return sale.state !== 'waiting';
    };
    await until('the sale is over', isOver, MINUTE);
    return sale;
  }

  return {
    clientAnswers,

    /** Pays as a payer. Some cards are declined, some payers press twice, and a refused payer tries another card. */
    async payByLink(bill: Bill, index: number): Promise<void> {
      const token = await cardToken(testWorker, index % 10 === 4 ? DECLINED_CARD : CARD);
      const presses = index % 16 === 6 ? 2 : 1;
      const answers = await Promise.all(Array.from({ length: presses }, () => pay(testWorker, bill, { token })));
      for (let retry = 0; retry < 2 && answers.every(({ status }) => [402, 503].includes(status)); retry++) {
        answers.push(await pay(testWorker, bill));
      }
      for (const answer of answers) recordAnswer(bill, answer);
      const { outcome, transaction } = await readStatus(bill);
      // Another client may be paying too, so "not charged" holds only for this moment.
      if (outcome !== 'not-charged') record(bill, outcome, null, transaction);
    },

    /** Sells as staff at a terminal: waits while the card reader is busy, and tries again after a refusal. */
    async sellAtDesk(desk: CounterTerminal, bill: Bill, index: number): Promise<void> {
      let touch = index % 20 === 9 ? 'decline' : index % 20 === 13 ? 'cancel' : 'tap';
      for (let press = 0; press < MOST_PRESSES; press++) {
        const token = await logIn(testWorker);
        const { status, saleId, code } = await startSale(testWorker, desk, bill, { token });
        if (code === 'already-paid') return record(bill, 'paid', null);
        if (status === 409) await runCron(testWorker, MINUTE);
        if (status === 503 || status === 409) continue;
        if (status !== 202 || !saleId) throw new Error(`a terminal got the answer ${status}`);
        sales.push({ bill, saleId });
        if (recordSale(bill, await finish(desk, saleId, token, touch)) !== 'not-charged') return;
        touch = 'tap';
      }
    },

    /** Reads every final answer once all payments have settled. */
    async readFinalAnswers(): Promise<void> {
      const token = await logIn(testWorker);
      for (const { bill, saleId } of sales) recordSale(bill, await readSale(saleId, token));
      for (const bill of testWorker.bills) {
        const { outcome, transaction } = await readStatus(bill);
        record(bill, outcome, null, transaction);
      }
    },
  };
}
