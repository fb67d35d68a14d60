import { expect, test } from 'vitest';
import { createFilter } from './log-filter.ts';

const shownLines = (output: string) => output.split('\n').filter(createFilter());

test('shows a dev server error with file and line, without stack frames from third-party code', () => {
  expect(
    shownLines(`15:50:30 [vite] 15:50:30 [200] /terms 1271ms
15:50:34 [ERROR] [vite] Internal server error: Transform failed with 1 error:

\u001b[31m[PARSE_ERROR] \u001b[0mUnexpected token
   \u001b[38;5;246m╭[0m─[ worker/domain/merchants/view-merchant.ts:3:16 ]
 3 │ const broken = = 1;
───╯
      at runInRunnerObject (workers/runner-worker/index.js:107:3)
      at transformWithOxc (file:///home/me/node_modules/vite/dist/node/chunks/node.js:7673:19)
      at viewMerchant (/home/me/tillway/worker/domain/view-merchant.ts:3:16)
[vite] program reload
15:50:46 [vite] 15:50:46 [200] /login 158ms`),
  ).toEqual([
    '15:50:34 [ERROR] [vite] Internal server error: Transform failed with 1 error:',
    '',
    '\u001b[31m[PARSE_ERROR] \u001b[0mUnexpected token',
    '   \u001b[38;5;246m╭[0m─[ worker/domain/merchants/view-merchant.ts:3:16 ]',
    ' 3 │ const broken = = 1;',
    '───╯',
    '      at viewMerchant (/home/me/tillway/worker/domain/view-merchant.ts:3:16)',
  ]);
});

test('shows the Worker’s own log lines, but no request lines and no lines that follow hidden ones', () => {
  expect(
    shownLines(`[wrangler:info] GET /blog 200 OK (5ms)
{"level":"info","event":"booked"}
{"level":"info","event":"request","route":"/","method":"GET","status":200,"ms":3}
[wrangler:info] GET / 200 OK (5ms)
  a table
✘ [ERROR] Address already in use
  (0.0.0.0:8787)
{"level":"info","event":"booked"}
  a table`),
  ).toEqual([
    '{"level":"info","event":"booked"}',
    '✘ [ERROR] Address already in use',
    '  (0.0.0.0:8787)',
    '{"level":"info","event":"booked"}',
  ]);
});
