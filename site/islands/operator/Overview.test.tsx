import { cleanup, render, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { OperatorOverview } from '#shared/contracts/operators/operator';
import { clinicFilters, installationProblems } from '#shared/contracts/operators/operator-values';
import { answerWith } from '#tests/support/components/calls';
import { at, CALM_OVERVIEW } from '#tests/support/operator/calm';
import { Overview } from './Overview.tsx';

const openOverview = async (overview: Partial<OperatorOverview> = {}) => {
  cleanup();
  answerWith('/api/operator/overview', { ...CALM_OVERVIEW, ...overview });
  render(<Overview />);
  return screen.findByRole('region', { name: 'Status' });
};

const PAGES = /^\/operator\/(clinics\?filter=(\w+)|health|mails|builds)$|^#(alerts|trail)$/;

describe('the operator’s overview', () => {
  it('says that nothing needs attention if there are no problems', async () => {
    expect(within(await openOverview()).getByText('Nothing needs your attention')).toBeTruthy();
  });

  it.each(installationProblems)(
    'shows a link to the page of the problem %s instead of the all-clear message',
    async (kind) => {
      const status = await openOverview({ problems: [{ kind, n: 1 }] });
      expect(within(status).queryByText('Nothing needs your attention')).toBeNull();
      const [, , group] = PAGES.exec(within(status).getByRole('link').getAttribute('href') ?? '') ?? [];
      if (group) expect(clinicFilters).toContain(group);
      else expect(within(status).getByRole('link').getAttribute('href')).toMatch(PAGES);
    },
  );

  it('makes the worst problem the headline, and lists the others below', async () => {
    const status = await openOverview({
      problems: [
        { kind: 'payments-paused', n: 1 },
        { kind: 'stuck', n: 1 },
        { kind: 'failing', n: 2 },
      ],
    });
    expect(
      within(status)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Online payments are paused for all clinics',
      'Outcome unknown at 1 clinic',
      'CRM sync fails at 2 clinics',
    ]);
  });

  it('counts every clinic under “Payers cannot pay” while payments are paused for all', async () => {
    const payments = {
      state: 'paused',
      by: 'operator',
      since: at,
      reason: 'Provider is down.',
      operator: 'Olga Reyes',
    };
    await openOverview({ payments, sums: { ...CALM_OVERVIEW.sums, paused: 4 } });
    const tile = screen.getByRole('link', { name: 'Payers cannot pay' });
    expect(tile.getAttribute('href')).toBe('/operator/clinics?filter=paused');
    expect(tile.closest('li')?.querySelector('strong')?.textContent).toBe('4');
  });

  it('shows who last used the payments switch, when and why', async () => {
    const lastSwitch = { by: 'operator', since: at, reason: 'Provider is fine.', operator: 'Olga Reyes' };
    const status = await openOverview({ payments: { state: 'open', ...lastSwitch } });
    expect(
      within(status)
        .getByText(/^Online payments are open/)
        .closest('p')?.textContent,
    ).toMatch(/^Online payments are open\. Resumed by Olga Reyes on Mar 4, 2026, .+: Provider is fine\.$/);
  });

  it('labels the number of unsent emails as the installation’s', async () => {
    await openOverview({ mails: { ...CALM_OVERVIEW.mails, due: 2, oldest: at } });
    const tile = screen.getByRole('link', { name: 'Installation’s emails not sent' });
    expect(tile.closest('li')?.querySelector('strong')?.textContent).toBe('2');
  });

  it('shows an alert with the runbook’s first steps and a link to its section', async () => {
    const event = 'payment-unknown';
    const alert = { key: event, event, subject: '', says: 'It is not known.', severity: 'now', accounts: 1, n: 1 };
    const times = { first_at: at, last_at: at, acked_at: null, acked_by: null };
    const steps = [
      '**Look at** the status page, and `status-inquiry-failed`.',
      '**Do** wait, see [deploy.md](deploy.md).',
    ];
    await openOverview({ alerts: [{ ...alert, ...times, steps, clinics: [], facts: [] }] });
    const row = screen.getByText('It is not known.').closest('li') as HTMLElement;
    expect(
      within(row)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Look at the status page, and status-inquiry-failed.', 'Do wait, see deploy.md.']);
    const link = within(row).getByRole('link', { name: `All steps for ${event}` });
    expect(link.getAttribute('href')).toBe(`/operator/runbook?event=${event}`);
  });
});
