import type { OperatorOverview } from '#shared/contracts/operators/operator';
import { Act } from '../ui/feedback/Act.tsx';
import { formatSince } from '../ui/format-moment.ts';
import { Icon } from '../ui/Icon.tsx';
import { AppLink } from '../ui/routing/router.tsx';
import { act, readDone, toldBy } from './api.ts';
import { counted, formatAge } from './words.ts';

const BUILDS: Record<string, string> = { live: 'Live', building: 'Under way', waiting: 'Due', failed: 'Failed' };

type Vital = { title: string; value: string; note: string; isAmber: boolean; to?: string };

/** The figures at the top of the operator's page; each links to the clinics that it counts. */
export function Vitals({ seen, onDone }: { seen: OperatorOverview; onDone(): void }) {
  const { sums, mails, build } = seen;
  const now = Date.parse(seen.at);
  const since = (iso: string | null, lead: string) => (iso ? `${lead} ${formatAge(iso, now)}` : '');
  const unsent = mails.due + mails.failed;
  const vitals: Vital[] = [
    {
      title: 'Payments waiting for a person',
      value: String(sums.needs_human),
      note: sums.waiting > 0 ? `at ${counted(sums.waiting, 'clinic')}; call the clinic` : 'no clinic has one',
      isAmber: sums.needs_human > 0,
      to: 'waiting',
    },
    {
      title: 'Clinics with an unknown outcome',
      value: String(sums.stuck),
      note: since(sums.stuck_since, 'the oldest for') || 'each outcome is known',
      isAmber: sums.stuck > 0,
      to: 'stuck',
    },
    {
      title: 'CRM sync fails',
      value: String(sums.failing),
      note: `of ${counted(sums.clinics, 'clinic')}`,
      isAmber: sums.failing > 0,
      to: 'failing',
    },
    {
      title: 'Silent clinics',
      value: String(sums.silent),
      note: 'not heard for 25 min',
      isAmber: sums.silent > 0,
      to: 'silent',
    },
    {
      title: 'Schema behind',
      value: String(sums.behind),
      note: 'brought up with their next call',
      isAmber: sums.behind > 0,
      to: 'behind',
    },
    {
      title: 'Mails overdue or given up',
      value: String(unsent),
      note: since(mails.oldest, 'the oldest for') || 'of the installation’s own',
      isAmber: unsent > 0,
    },
    {
      title: 'Last payment',
      value: sums.last_payment_at ? formatSince(sums.last_payment_at) : 'None yet',
      note: 'of any clinic',
      isAmber: false,
    },
  ];
  return (
    <ul className="op-vitals">
      {vitals.map(({ title, value, note, isAmber, to }) => (
        <li key={title} className={isAmber ? 'op-amber' : undefined}>
          <span className="op-vital">
            <Icon name={isAmber ? 'warn' : 'check'} size="sm" />
            {to ? <AppLink href={`/operator/clinics?filter=${to}`}>{title}</AppLink> : title}
          </span>
          <strong>{value}</strong>
          <span className="op-sub">{note}</span>
        </li>
      ))}
      <li className={build.state === 'failed' ? 'op-amber' : undefined}>
        <span className="op-vital">
          <Icon name={build.state === 'failed' ? 'warn' : 'check'} size="sm" />
          Build of the site
        </span>
        <strong>{BUILDS[build.state] ?? build.state}</strong>
        <span className="op-sub">{build.reason || `since ${formatSince(build.since)}`}</span>
        <Act
          label="Start a build"
          title="Build the public site now?"
          verb="Start"
          run={() => act('builds', readDone, { method: 'POST' })}
          done={toldBy}
          onDone={onDone}
        >
          <p>It shows what is published. One build runs at a time, at most one a minute.</p>
        </Act>
      </li>
    </ul>
  );
}
