import type { AnalyticsComparison, PaymentAnalytics, Timeframe } from '#shared/contracts/payments/analytics';
import { addDays } from '#shared/text/local-day';
import { answerCalls, type Caller } from './answer-calls.ts';

const LAST = '2026-03-04';
const DAYS: Record<Timeframe, number> = { week: 7, month: 30, year: 365 };
const NO_FIGURES = { paymentMethods: {}, transactionStatus: {} };

export const figuresOf = (timeframe: Timeframe): PaymentAnalytics => ({
  dailyPayments: Array.from({ length: DAYS[timeframe] }, (_, day) => ({
    date: addDays(LAST, day + 1 - DAYS[timeframe]),
    amount: day % 7 === 3 ? 0 : ((day * 7919) % 90_000) / 100 + 12.5,
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

export type AnalyticsServer = {
  /** The state of the comparison only. */
  comparisonState: 'answers' | 'fails' | 'few' | 'more' | 'all-hours';
  requestedTimeframes: string[];
  state: 'answers' | 'empty' | 'fails';
  hold: Promise<void> | null;
};

export async function serveAnalytics(caller: Caller): Promise<AnalyticsServer> {
  const server: AnalyticsServer = { requestedTimeframes: [], state: 'answers', comparisonState: 'answers', hold: null };
  const refusal = { status: 503, json: { error: { code: 'unavailable', message: 'Please try again.' } } };
  await answerCalls(
    caller,
    ({ pathname }) => pathname === '/api/analytics/payments',
    async (call) => {
      const timeframe = (call.url.searchParams.get('timeframe') ?? '') as Timeframe;
      server.requestedTimeframes.push(timeframe);
      await server.hold;
      const figures = figuresOf(timeframe);
      const emptyFigures = {
        ...NO_FIGURES,
        dailyPayments: figures.dailyPayments.map(({ date }) => ({ date, amount: 0 })),
      };
      await (server.state === 'fails'
        ? call.fulfill(refusal)
        : call.fulfill({ json: server.state === 'empty' ? emptyFigures : figures }));
    },
  );
  await answerCalls(
    caller,
    ({ pathname }) => pathname === '/api/analytics/comparison',
    async (call) => {
      const comparison = comparisonOf((call.url.searchParams.get('timeframe') ?? '') as Timeframe);
      await server.hold;
      if (server.comparisonState === 'fails' || server.state === 'fails') return call.fulfill(refusal);
      if (server.comparisonState === 'few') comparison.before.payments = 4;
      if (server.comparisonState === 'more')
        for (const day of comparison.before.dailyPayments) day.amount = Math.round(day.amount * 250) / 100;
      if (server.comparisonState === 'all-hours') comparison.hours = hours.map((day) => day.map((count) => count + 1));
      const none = { count: 0, amount: 0 };
      const emptyComparison = {
        ...comparison,
        refunds: none,
        hours: hours.map((day) => day.map(() => 0)),
        before: {
          payments: 0,
          dailyPayments: comparison.before.dailyPayments.map(({ date }) => ({ date, amount: 0 })),
        },
      };
      return call.fulfill({ json: server.state === 'empty' ? emptyComparison : comparison });
    },
  );
  return server;
}
