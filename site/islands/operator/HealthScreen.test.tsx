import { render, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { OperatorHealth, OperatorOverview } from '#shared/contracts/operators/operator';
import { answerWith } from '#tests/support/components/calls';
import { at, CALM_OVERVIEW } from '#tests/support/operator/calm';
import { HealthScreen } from './HealthScreen.tsx';

type Check = Pick<OperatorHealth['checks'][number], 'name' | 'status' | 'observedValue'>;

/** Renders the screen and returns the row of a check. */
async function renderRowOf(name: string, check: Check, overview: Partial<OperatorOverview> = {}) {
  const base = { status: 'pass' as const, version: 'v', commit: '', at, jobs: [] };
  answerWith('/api/operator/health', { ...base, checks: [{ ...check, time: at }] } satisfies OperatorHealth);
  answerWith('/api/operator/overview', { ...CALM_OVERVIEW, ...overview });
  render(<HealthScreen />);
  return within((await screen.findByText(name)).closest('li') as HTMLElement);
}

describe('the operator’s health screen', () => {
  const renderDumpsRow = (status: Check['status'], dumps: OperatorOverview['dumps']) =>
    renderRowOf('Nightly dumps', { name: 'backup', status, observedValue: 1080 }, { dumps });

  it('shows no age while there is no dump', async () => {
    const row = await renderDumpsRow('pass', { oldest_at: null, missing: 2 });
    expect(row.getByText('no dump yet, the first one comes tonight')).toBeTruthy();
    expect(row.getByText('Not yet')).toBeTruthy();
  });

  it('stops announcing the first dump once it is late', async () => {
    const row = await renderDumpsRow('warn', { oldest_at: null, missing: 2 });
    expect(row.getByText('no dump yet')).toBeTruthy();
    expect(row.getByText('Needs attention')).toBeTruthy();
  });

  it('shows the age of the oldest dump, and the number of databases without one', async () => {
    const row = await renderDumpsRow('pass', { oldest_at: '2026-03-04T10:00:00.000Z', missing: 1 });
    const text = 'the oldest is 5 h old; 1 database without a dump yet, the first one comes tonight';
    expect(row.getByText(text)).toBeTruthy();
  });

  const CRM = 'Clinics whose CRM cannot be read';

  it.each([
    [CRM, 'crm', 'failing', 'CRM sync fails at 1 clinic'],
    ['Emails overdue, refused or given up', 'outbox', 'mails-unsent', '1 email of the installation not sent'],
    ['Payments and refunds without an outcome', 'unknown_payments', 'stuck', 'Outcome unknown at 1 clinic'],
  ] as const)(
    'shows at “%s” the problems in the overview, even before there is an alert',
    async (name, check, kind, text) => {
      const row = await renderRowOf(
        name,
        { name: check, status: 'pass', observedValue: 0 },
        { problems: [{ kind, n: 1 }] },
      );
      expect(row.getByText(text)).toBeTruthy();
      expect(row.getByText('Needs attention')).toBeTruthy();
      expect(screen.queryByText('Everything works')).toBeNull();
    },
  );

  it('says that everything works if the overview has no problems either', async () => {
    const row = await renderRowOf(CRM, { name: 'crm', status: 'pass', observedValue: 0 });
    expect(row.getByText('none')).toBeTruthy();
    expect(screen.getByText('Everything works')).toBeTruthy();
  });

  it('shows that all payments are paused, with the reason', async () => {
    const payments = { state: 'paused', by: 'operator', since: at, reason: 'The gateway is down.', operator: 'Olga' };
    await renderRowOf(CRM, { name: 'crm', status: 'pass', observedValue: 0 }, { payments });
    expect(screen.getByText('All online payments are paused')).toBeTruthy();
    expect(screen.getByText(/^Paused by Olga (on|at) .*: The gateway is down\.$/)).toBeTruthy();
    expect(screen.getByText('Everything else works')).toBeTruthy();
    expect(screen.queryByText('Everything works')).toBeNull();
  });

  it('shows the jobs of the schedule by name', async () => {
    const job = { job: 'tamper-monitor', is_ok: true, finished_at: at, ok_at: at, ms: 40 };
    const base = { status: 'pass' as const, version: 'v', commit: '', at, checks: [] };
    answerWith('/api/operator/health', { ...base, jobs: [job, { ...job, job: 'of-a-newer-worker' }] });
    answerWith('/api/operator/overview', CALM_OVERVIEW);
    render(<HealthScreen />);
    expect(await screen.findByText('Checking the payment page for changes')).toBeTruthy();
    expect(screen.getByText('of-a-newer-worker')).toBeTruthy();
  });
});
