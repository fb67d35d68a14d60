import type { Batch } from '#shared/contracts/payments/batches';
import type { BatchReconciliation } from '#shared/contracts/payments/reconciliation';
import type { Takings } from '#shared/contracts/payments/takings';
import { answerCalls, type Caller } from './answer-calls.ts';

export const DAY = '2026-03-03';

export const takingsOf = (lookAlikes = 1, fields: Partial<Takings> = {}): Takings => ({
  date: DAY,
  business: { name: 'Maple Street Dental', address: '214 Maple Street, Carmel, IN 46032' },
  net: '5362.25',
  sales: { count: 15, amount: '5400.65' },
  refunds: { count: 1, amount: '38.40' },
  declined: 2,
  week_before: '5004.30',
  methods: [
    { name: 'Visa', count: 7, amount: '2716.60' },
    { name: 'Mastercard', count: 5, amount: '1549.55' },
    { name: 'American Express', count: 2, amount: '1006.50' },
    { name: 'Discover', count: 1, amount: '128.00' },
  ],
  look_alikes: Array.from({ length: lookAlikes }, (_, n) => ({
    card: 'Visa 1111',
    amount: `${71 + n}.10`,
    at: ['2026-03-03T15:02:00.000Z', '2026-03-03T15:06:00.000Z'],
    invoices: ['INV-1100'],
    terminal: 'Front desk 1',
    customer: 'Carmen Nunez',
  })),
  unknown: [],
  paid_elsewhere: { count: 3, amount: '150.00' },
  closed: { at: '2026-03-03T23:00:00.000Z', by: 'Grace Lindqvist' },
  ...fields,
});

export const batchOf = (terminal: number, fields: Partial<Batch> = {}): Batch => ({
  id: String(terminal + 8),
  status: 'CLOSED',
  terminal_name: `Front desk ${terminal}`,
  'terminal-id': `7014${terminal}`,
  'date-opened': '2026-03-03T13:00:00.000Z',
  settled: '2026-03-03T23:00:00.000Z',
  'sales-count': '6',
  'sales-total': '1745.00',
  'refund-count': '1',
  'refund-total': '38.40',
  'net-amount': '1706.60',
  'confirmation-code': `CONF701412${terminal}`,
  ...fields,
});
/** The fields of a batch with these sales and no refunds. */
export const salesOf = (count: string, amount: string): Partial<Batch> => ({
  'sales-count': count,
  'sales-total': amount,
  'net-amount': amount,
  'refund-count': '0',
  'refund-total': '0.00',
});
/** The batch of one of two terminals, which together make up the day's takings. */
const dayOf = (terminal: number) => [batchOf(terminal, terminal === 2 ? salesOf('9', '3655.65') : {})];

const line = (amount: string, ours: string | null): BatchReconciliation['lines'][number] => ({
  id: amount,
  verdict: ours === amount ? 'matched' : 'amount-differs',
  type: 'SALE',
  at: null,
  amount,
  ours,
  card: '',
  payer: '',
  customer: '',
  invoice: { id: '1', number: 'INV-1' },
});
/** The comparison of a batch. `isRight`: the ledger agrees with the provider; null: the sales predate Tillway. */
function matchOf(batch: Batch, isRight: boolean | null = true): BatchReconciliation {
  const { 'sales-total': sales, 'refund-total': refunds, 'net-amount': net } = batch;
  const lines = [line(sales, isRight ? sales : '1673.90'), line(`-${refunds}`, `-${refunds}`)];
  return {
    lines: isRight === null ? lines.map((entry) => ({ ...entry, ours: null, verdict: 'earlier' as const })) : lines,
    sums: [
      { what: 'sales', lines: sales, batch: sales, agrees: true },
      { what: 'refunds', lines: refunds, batch: refunds, agrees: true },
      { what: 'net', lines: net, batch: net, agrees: true },
    ],
  };
}

type TakingsAnswers = {
  terminals?: number;
  takings?: Takings;
  batches?: (terminal: number) => Batch[];
  isRight?: (terminal: number) => boolean | null;
  /** If set, the card provider's answers wait until it resolves. */
  until?: Promise<void>;
};

/** Answers the calls of the takings screen. */
export async function serveTakings(
  caller: Caller,
  { terminals = 2, takings = takingsOf(), batches, isRight, until }: TakingsAnswers = {},
) {
  const batchesOf = batches ?? (terminals === 2 ? dayOf : (terminal) => [batchOf(terminal)]);
  const isServed = ({ pathname }: URL) => pathname === '/api/takings' || pathname.startsWith('/api/terminals');
  await answerCalls(caller, isServed, async (call) => {
    const { pathname } = call.url;
    if (pathname === '/api/takings') return call.fulfill({ json: takings });
    await until;
    const terminal = Number(/^\/api\/terminals\/7014(\d+)\/batches/.exec(pathname)?.[1]);
    const [batch] = terminal ? batchesOf(terminal) : [];
    if (batch && pathname.endsWith('/match')) return call.fulfill({ json: matchOf(batch, isRight?.(terminal)) });
    if (batch) return call.fulfill({ json: { batch: [batch] } });
    const names = Array.from({ length: terminals }, (_, n) => `${n + 1}`);
    return call.fulfill({
      json: names.map((n) => ({ terminal_id: `7014${n}`, terminal_name: `Front desk ${n}` })),
    });
  });
}
