import type { PaidTransaction, PaymentStatus } from '#shared/contracts/payments/payment-answers';
import type { SaleReply, TerminalSale } from '#shared/contracts/payments/terminals';
import { parseCents } from '#shared/money';
import { paymentStatusApi } from '#shared/paths';
import { until } from '../quiet.ts';
import type { Word } from '../seen.ts';
import {
  type Answer,
  type Bill,
  CARD,
  cardToken,
  DECLINED_CARD,
  passOfCron,
  pay,
  type TestWorker,
} from '../test-worker.ts';
import { type CounterTerminal, logIn, startSale } from './terminals.ts';

const MINUTE = 60_000;
/** The cron passes for which a card reader counts as busy after its last sale was lost. */
const MOST_PRESSES = 8;

/** Payers and staff at terminals, with a record of every answer they get. */
export function clientsOf(testWorker: TestWorker) {
  const { clusterWorld } = testWorker;
  const words: Word[] = [];
  const sales: { bill: Bill; saleId: string }[] = [];

  function hear(bill: Bill, said: Word['said'], of: Word['of'], transaction: PaidTransaction | null = null) {
    const figures = transaction && { id: transaction.id, amountCents: parseCents(transaction.amount) ?? 0 };
    words.push({ bill, said, of, transaction: figures });
  }

  function hearAnswer(bill: Bill, { status, body, token }: Answer) {
    if (status === 0) return;
    const said = status === 200 ? 'paid' : status === 202 ? 'open' : 'not-charged';
    hear(bill, said, { token }, body?.payload.transaction);
  }

  function hearSale(bill: Bill, sale: TerminalSale): Word['said'] {
    const isOpen = ['waiting', 'unknown', 'needs-a-person'].includes(sale.state);
    const said = sale.state === 'approved' ? 'paid' : isOpen ? 'open' : 'not-charged';
    hear(bill, said, { saleId: sale.id }, sale.transaction);
    return said;
  }

  async function askFor({ payId }: Bill) {
    const response = await clusterWorld.call(paymentStatusApi(payId));
    const { state, transaction } = (await response.json()) as PaymentStatus;
    const isNone = state === 'none' || state === 'declined';
    return { said: state === 'paid' ? 'paid' : isNone ? 'not-charged' : 'open', transaction } as const;
  }

  async function lookAt(saleId: string, token: string): Promise<TerminalSale> {
    const response = await clusterWorld.call(`/api/sales/${saleId}`, { headers: { authorization: `Bearer ${token}` } });
    if (response.status !== 200) throw new Error(`a sale cannot be looked at: ${response.status}`);
    return ((await response.json()) as SaleReply).sale;
  }

  /** Act at the device as soon as it waits for a card, and follow the sale to its end. */
  async function finish(
    { terminalId }: CounterTerminal,
    saleId: string,
    token: string,
    touch: string,
  ): Promise<TerminalSale> {
    let sale = await lookAt(saleId, token);
    const isOver = async () => {
      const { waiting } = await clusterWorld.sandbox<{ waiting: object | null }>('GET', `terminals/${terminalId}`);
      if (waiting) await clusterWorld.sandbox('POST', `terminals/${terminalId}`, { do: touch });
      sale = await lookAt(saleId, token);
      return sale.state !== 'waiting';
    };
    await until('the sale is over', isOver, MINUTE);
    return sale;
  }

  return {
    words,

    /** A payer: some cards are declined, some press twice, and a refused payer tries again with another card. */
    async payByLink(bill: Bill, index: number): Promise<void> {
      const token = await cardToken(testWorker, index % 10 === 4 ? DECLINED_CARD : CARD);
      const presses = index % 16 === 6 ? 2 : 1;
      const answers = await Promise.all(Array.from({ length: presses }, () => pay(testWorker, bill, { token })));
      for (let more = 0; more < 2 && answers.every(({ status }) => [402, 503].includes(status)); more++) {
        answers.push(await pay(testWorker, bill));
      }
      for (const answer of answers) hearAnswer(bill, answer);
      const { said, transaction } = await askFor(bill);
      // Another client may be paying too, so "nothing" holds for this moment only.
      if (said !== 'not-charged') hear(bill, said, null, transaction);
    },

    /**
     * Staff at a terminal: wait for a card reader that is busy with an earlier sale, and try again after a refusal.
     */
    async sellAtDesk(desk: CounterTerminal, bill: Bill, index: number): Promise<void> {
      let touch = index % 20 === 9 ? 'decline' : index % 20 === 13 ? 'cancel' : 'tap';
      for (let press = 0; press < MOST_PRESSES; press++) {
        const token = await logIn(testWorker);
        const { status, saleId, code } = await startSale(testWorker, desk, bill, { token });
        if (code === 'already-paid') return hear(bill, 'paid', null);
        if (status === 409) await passOfCron(testWorker, MINUTE);
        if (status === 503 || status === 409) continue;
        if (status !== 202 || !saleId) throw new Error(`a terminal was told ${status}`);
        sales.push({ bill, saleId });
        if (hearSale(bill, await finish(desk, saleId, token, touch)) !== 'not-charged') return;
        touch = 'tap';
      }
    },

    /** Ask for every final answer once all is quiet. */
    async askAgain(): Promise<void> {
      const token = await logIn(testWorker);
      for (const { bill, saleId } of sales) hearSale(bill, await lookAt(saleId, token));
      for (const bill of testWorker.bills) {
        const { said, transaction } = await askFor(bill);
        hear(bill, said, null, transaction);
      }
    },
  };
}
