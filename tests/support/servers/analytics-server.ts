import type { AnalyticsComparison, PaymentAnalytics, Timeframe } from '#shared/contracts/payments/analytics';
import { addDays } from '#shared/text/local-day';
import { answerCalls, type Caller } from './answer-calls.ts';

const LAST = '2026-03-04';
const DAYS: Record<Timeframe, number> = { week: 7, month: 30, year: 365 };
const NOTHING = { paymentMethods: {}, transactionStatus: {} };

export const figuresOf = (timeframe: Timeframe): PaymentAnalytics => ({
  dailyPayments: Array.from({ length: DAYS[timeframe] }, (_, back) => ({
    date: addDays(LAST, back + 1 - DAYS[timeframe]),
    amount: back % 7 === 3 ? 0 : ((back * 7919) % 90_000) / 100 + 12.5,
  })),
  paymentMethods: {
    Visa: 412,
    Mastercard: 201,
    'American Express': 77,
    Discover: 31,
    'Bank account': 18,
    'Other card': 1,
  },
  transactionStatus: {
    approved: 740,
    declined: 38,
    cancelled: 12,
    timed_out: 4,
    refunded: 3,
    voided: 3,
    not_charged: 1,
  },
});

const hours = Array.from({ length: 7 }, (_, weekday) =>
  Array.from({ length: 24 }, (_, hour) => (weekday === 0 || hour < 8 || hour > 17 ? 0 : ((weekday * hour) % 7) + 1)),
);
hours[1]?.splice(10, 1, 36);

export const comparisonOf = (timeframe: Timeframe): AnalyticsComparison => ({
  refunds: { amount: 120.5, count: 3 },
  before: {
    payments: 600,
    dailyPayments: figuresOf(timeframe).dailyPayments.map(({ date, amount }) => ({
      date: addDays(date, -DAYS[timeframe]),
      amount: Math.round(amount * 80) / 100,
    })),
  },
  hours,
});

export type Served = {
  /** Of the comparison alone. */
  compares: 'answers' | 'fails' | 'few' | 'more' | 'all-hours';
  asked: string[];
  state: 'answers' | 'empty' | 'fails';
  hold: Promise<void> | null;
};

export async function serveAnalytics(caller: Caller): Promise<Served> {
  const served: Served = { asked: [], state: 'answers', compares: 'answers', hold: null };
  const refused = { status: 503, json: { error: { code: 'unavailable', message: 'Please try again.' } } };
  await answerCalls(
    caller,
    ({ pathname }) => pathname === '/api/analytics/payments',
    async (call) => {
      const timeframe = (call.url.searchParams.get('timeframe') ?? '') as Timeframe;
      served.asked.push(timeframe);
      await served.hold;
      const figures = figuresOf(timeframe);
      const quiet = { ...NOTHING, dailyPayments: figures.dailyPayments.map(({ date }) => ({ date, amount: 0 })) };
      await (served.state === 'fails'
        ? call.fulfill(refused)
        : call.fulfill({ json: served.state === 'empty' ? quiet : figures }));
    },
  );
  await answerCalls(
    caller,
    ({ pathname }) => pathname === '/api/analytics/comparison',
    async (call) => {
      const comparison = comparisonOf((call.url.searchParams.get('timeframe') ?? '') as Timeframe);
      await served.hold;
      if (served.compares === 'fails' || served.state === 'fails') return call.fulfill(refused);
      if (served.compares === 'few') comparison.before.payments = 4;
      if (served.compares === 'more')
        for (const day of comparison.before.dailyPayments) day.amount = Math.round(day.amount * 250) / 100;
      if (served.compares === 'all-hours') comparison.hours = hours.map((day) => day.map((count) => count + 1));
      const none = { count: 0, amount: 0 };
      const quiet = {
        ...comparison,
        refunds: none,
        hours: hours.map((day) => day.map(() => 0)),
        before: {
          payments: 0,
          dailyPayments: comparison.before.dailyPayments.map(({ date }) => ({ date, amount: 0 })),
        },
      };
      return call.fulfill({ json: served.state === 'empty' ? quiet : comparison });
    },
  );
  return served;
}
