import { type Row, route, rows, type TestRef } from './rows.ts';

const analytics = 'site/islands/merchant/analytics/PaymentAnalytics.test.tsx';

const CHARTS: TestRef = [analytics, 'shows the last 30 days compared with the previous 30'];
const TIMEFRAMES: TestRef = [
  analytics,
  'keeps showing its charts while another timeframe loads, and has the timeframe in the URL',
];

/** Texts of the dashboard's charts. */
export const analyticsRows: readonly Row[] = [
  ...route(
    'app-charts',
    303,
    [
      'tests/whole/onboarding.test.ts',
      'sees the homepage before login and after logout, and is sent to the login from an app address',
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
    ['Loading analytics...', [analytics, 'shows a loading message before the first data arrives']],
    [
      'Error fetching analytics data:',
      [analytics, 'reports a failed load in place of an empty chart, and reloads on Retry'],
    ],
  ]),
];
