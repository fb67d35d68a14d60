import * as z from 'zod/mini';
import { amountOf, type Bill } from './history-plan.ts';

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

const Clock = z.object({ now: z.string() });
const CreatedIds = z.object({ ids: z.array(z.string()) });
const Token = z.object({ payload: z.object({ 'mobile-jwt': z.object({ jwt: z.string() }) }) });

/** The seed's access to the sandbox, for one account: its clock, its bills and the cards of its customers. */
export async function openSandbox(sandboxUrl: string, hubId: number) {
  const hub = `/_sandbox/hubs/${hubId}`;
  async function call<T>(method: string, path: string, body: unknown, schema: z.ZodMiniType<T>, more = {}): Promise<T> {
    const answer = await fetch(`${sandboxUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the sandbox refused ${method} ${path}: ${answer.status} ${await answer.text()}`);
    return schema.parse(await answer.json());
  }
  const advanceClock = async (seconds: number) => {
    const { now } = await call('POST', '/_sandbox/clock', { add_s: seconds }, Clock);
    return Date.parse(now) - Date.now();
  };
  let aheadMs = await advanceClock(0);

  return {
    setClock: async (at: number) => {
      aheadMs = await advanceClock((at - Date.now() - aheadMs) / 1000);
    },
    forgetCharges: () => call('DELETE', `${hub}/charges`, {}, z.unknown()),
    makeInvoice: async (bill: Bill): Promise<string> => {
      const { number, customer, lines, dueDate } = bill;
      const line_items = lines.map(({ name, price, sku }) => ({ name, price, quantity: '1', hs_sku: sku }));
      const fields = { number, customer, line_items, due_date: dueDate, amount: amountOf(bill) };
      return (await call('POST', `${hub}/invoices`, fields, CreatedIds)).ids[0] ?? '';
    },
    /** The bookkeeper enters a payment in the CRM. */
    recordPaid: async (invoiceId: string, amount: string, at: number): Promise<void> => {
      const paid = { hs_invoice_status: 'paid', hs_amount_paid: amount, hs_balance_due: '0.00' };
      const properties = { ...paid, hs_payment_date: new Date(at).toISOString() };
      await call('PATCH', `${hub}/invoices/${invoiceId}`, { properties }, z.unknown());
    },
    /** The token that the card frame passes to the pay page. */
    cardToken: async (publicKey: string, card: string): Promise<string> => {
      const csc = card.startsWith('37') ? '9999' : '999';
      const software = { 'software-type': 'seed', 'software-type-version': '1' };
      const request = { card, 'exp-date': '1249', csc, ...software };
      const reply = await call('POST', '/rest/v2/mobilejwt/manual', request, Token, { 'public-key': publicKey });
      return reply.payload['mobile-jwt'].jwt;
    },
    /** Taps a card at a reader as soon as a sale is pending; null: a card that is declined. */
    holdCard: async (terminalId: string, card: string | null): Promise<void> => {
      const action = card === null ? { do: 'decline' } : { do: 'tap', card };
      await call('POST', `/_sandbox/terminals/${terminalId}`, action, z.unknown());
    },
  };
}
