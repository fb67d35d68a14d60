import type { OperatorOverview } from '#shared/contracts/operators/operator';
import { type ClinicFilter, clinicGroups } from '#shared/contracts/operators/operator-values';
import { formatCount } from '#shared/text/format-count';
import { formatSince } from '../ui/format-moment.ts';
import { Icon } from '../ui/Icon.tsx';
import { AppLink } from '../ui/routing/router.tsx';
import { formatAge, siteStates } from './words.ts';

type Vital = { title: string; value: string; note: string; isAmber: boolean; to: string };

/** The figures at the top of the operator's page; each links to the page with its items. */
export function Vitals({ overview }: { overview: OperatorOverview }) {
  const { sums, mails, build, payments } = overview;
  const now = Date.parse(overview.at);
  const describeAge = (iso: string | null, lead: string) => (iso ? `${lead} ${formatAge(iso, now)}` : '');
  const unsentCount = mails.due + mails.failed;
  const clinicVital = (group: Exclude<ClinicFilter, 'all'>, note: string): Vital => ({
    title: clinicGroups[group],
    value: String(sums[group]),
    note,
    isAmber: sums[group] > 0,
    to: `/operator/clinics?filter=${group}`,
  });
  const vitals: Vital[] = [
    payments.state === 'paused'
      ? { ...clinicVital('paused', 'payments are paused for all'), title: clinicGroups.blocked }
      : clinicVital('blocked', 'refused by provider, CRM or database'),
    clinicVital(
      'waiting',
      sums.needs_human > 0 ? `${formatCount(sums.needs_human, 'payment')}; call the clinic` : 'every decision was made',
    ),
    clinicVital('stuck', describeAge(sums.stuck_since, 'the oldest for') || 'each outcome is known'),
    clinicVital('silent', 'no report for 25 min'),
    clinicVital('failing', `of ${formatCount(sums.clinics, 'clinic')}`),
    clinicVital('behind', 'updated by their next call'),
    {
      title: 'Installation’s emails not sent',
      value: String(unsentCount),
      note: describeAge(mails.oldest, 'the oldest for') || 'those of clinics are on their pages',
      isAmber: unsentCount > 0,
      to: '/operator/mails',
    },
    {
      title: 'Build of the site',
      value: siteStates[build.state] ?? build.state,
      note: `since ${formatSince(build.since)}`,
      isAmber: build.state === 'failed',
      to: '/operator/builds',
    },
  ];
  return (
    <ul className="op-vitals">
      {vitals.map(({ title, value, note, isAmber, to }) => (
        <li key={title} className={isAmber ? 'op-amber' : undefined}>
          <span className="op-vital">
            <Icon name={isAmber ? 'warn' : 'check'} size="sm" />
            <AppLink href={to}>{title}</AppLink>
          </span>
          <strong>{value}</strong>
          <span className="op-sub">{note}</span>
        </li>
      ))}
    </ul>
  );
}
