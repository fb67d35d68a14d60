import { type Reached, type Row, route, rows } from './rows.ts';

const analytics = 'site/islands/merchant/analytics/PaymentAnalytics.test.tsx';

const CHARTS: Reached = [analytics, 'shows the last 30 days, compared with those before'];
const TIMEFRAMES: Reached = [
  analytics,
  'keeps its charts while another timeframe loads, and the address keeps the timeframe',
];

/** Texts of the dashboard's charts. */
export const analyticsRows: readonly Row[] = [
  ...route(
    'app-charts',
    303,
    [
      'tests/whole/onboarding.test.ts',
      'sees the homepage before login and after logout, and an app address leads to the login',
    ],
    ['GET /analytics', 'GET /checks'],
  ),
  ...rows('analytics', 'text', { client: 'app' }, [
    ['Payment Analytics', CHARTS],
    ['Payment Volume Over Time', CHARTS],
    ['Payment Methods', CHARTS],
    ['Transaction Status Distribution', CHARTS],
    ['Last 7 Days', TIMEFRAMES],
    ['Last 30 Days', TIMEFRAMES],
    ['Last 12 Months', TIMEFRAMES],
    ['Loading analytics...', [analytics, 'says that it is loading before there is anything']],
    [
      'Error fetching analytics data:',
      [analytics, 'reports a failed load, unlike an empty chart, and reads again when asked'],
    ],
  ]),
];
