import type { TestApp } from '#tests/support/login';
import type { Meter } from '#tests/support/unit/meter';
import { bytesOf, JAVASCRIPT, makePayPage } from '#tests/support/unit/pay-page-parts';
import { testSettings } from '#tests/support/unit/settings';
import type { PayPageParts } from '#worker/deps';
import type { Ask } from './asker.ts';

const token = testSettings('').MONITOR_SECRET;
const SCRIPT = 'provide(/* another version */)';

/** A pay page with more differences than get their own row; reading its files and the provider's script is counted. */
export async function differingPage(meter: Meter, deps: TestApp['deps']): Promise<() => Promise<PayPageParts>> {
  const { page, payPage } = await makePayPage(deps);
  page.tags = Array.from({ length: 60 }, (_, at) => `<script>extra(${at})</script>`).join('');
  const parts = await payPage();
  const counted =
    <A extends unknown[], T>(read: (...args: A) => T) =>
    (...args: A) => {
      meter.count();
      return read(...args);
    };
  return async () => ({
    page: counted(parts.page),
    file: counted(parts.file),
    providerScript: counted(parts.providerScript),
    googleScript: counted(parts.googleScript),
  });
}

/** Posts a report with a new version of the provider's script and many findings, then reads and approves it. */
export async function monitorCalls(meter: Meter, ask: Ask, { deps }: TestApp): Promise<void> {
  deps.payPage = await differingPage(meter, deps);
  const sha256 = await deps.sha256(SCRIPT);
  const findings = Array.from({ length: 60 }, (_, at) => ({
    kind: 'script-not-listed',
    subject: `https://skimmer.example/${at}.js`,
    expected: 'no such script',
    seen: 'not loaded',
  }));
  const seen = { scripts: [], inline: [], headers: {}, frames: [], connections: [] };
  const versions = [{ sha256, type: JAVASCRIPT, body: btoa(String.fromCharCode(...bytesOf(SCRIPT))) }];
  const body = { browser: 'Chromium', seen, findings, versions };
  await ask('POST /api/monitor', { token, body, status: 201 });
  await ask('GET /api/monitor', { token });
  await ask('GET /.well-known/apple-developer-merchantid-domain-association', { status: 404 });
  await ask('GET /api/health', { token: testSettings('').HEALTH_SECRET, status: 503 });
  const approval = { sha256, by: 'Dana Reyes', reason: 'Read the difference: a label.' };
  await ask('POST /api/monitor/approvals', { token, body: approval });
}
