import { useEffect, useState } from 'react';
import type { AppView, Merchant, MerchantLog, MerchantStatus } from '#shared/contracts/staff/session';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { StatusSteps, type Stop } from '#site/islands/ui/feedback/StatusSteps.tsx';
import { formatMoment, formatTime } from '#site/islands/ui/format-moment.ts';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { safeLink } from '../api/addresses.ts';
import { readAppView } from '../common/app-view.ts';
import { showClinicTime } from '../common/clinic-time.ts';
import { Lazy } from '../common/Lazy.tsx';
import { MoreIcon } from '../common/MoreIcon.tsx';
import { fetchMerchantData } from './api.ts';
import { SupportFooter } from './Support.tsx';

const firstHour = lazyScreen(() => import('../first-hour/FirstHour.tsx').then((code) => code.FirstHour));

const POLL_MS = 5000;
const TERMINALS_APPEAR = 'your terminals appear here automatically.';

/** The step of the setup for each status of the merchant, and a text about the remaining steps. */
const steps: Record<MerchantStatus, { step: number; next: string }> = {
  applied: { step: 0, next: `Complete the set-up. We review it, then ${TERMINALS_APPEAR}` },
  pended: { step: 0, next: `More information is needed: complete the set-up, then ${TERMINALS_APPEAR}` },
  'in-review': { step: 1, next: `Your application is being reviewed. After that, ${TERMINALS_APPEAR}` },
  approved: { step: 2, next: `Your account is approved. As soon as they are ready, ${TERMINALS_APPEAR}` },
  boarded: { step: 2, next: `Your account is approved. As soon as they are ready, ${TERMINALS_APPEAR}` },
  declined: { step: -1, next: '' },
};

const stopsAt = (current: number): Stop[] =>
  ['Set-up', 'Review', 'Terminals'].map((name, index) => ({
    name,
    state: index < current ? 'done' : index === current ? 'now' : 'ahead',
  }));

type Props = {
  merchant: Merchant;
  logs: MerchantLog[];
  support: AppView['support'];
  /** Called with new data. The app opens when there are terminals. */
  onData(data: AppView['data']): void;
};

export function MerchantInfo({ merchant, logs, support, onData }: Props) {
  const [updatedAt, setUpdatedAt] = useState(() => new Date());
  const [isStale, setStale] = useState(false);
  usePoll(async () => {
    const answer = await fetchMerchantData();
    setStale(!answer.ok);
    if (!answer.ok) return false;
    setUpdatedAt(new Date());
    onData(answer.value);
    return true;
  }, POLL_MS);
  const { step, next } = steps[merchant.status];
  useEffect(() => showClinicTime(readAppView().timeZone), []);

  return (
    <>
      <section className="card app-narrow" aria-labelledby="company">
        <h1 id="company" tabIndex={-1}>
          {merchant.merchant_name}
        </h1>
        {isStale && (
          <Banner tone="warn" lead="The server is not answering.">
            Showing what was known at {formatTime(updatedAt)}. We keep trying.
          </Banner>
        )}
        {merchant.status === 'declined' ? (
          <Banner tone="warn" lead="The card provider has declined this application.">
            Please contact support.
          </Banner>
        ) : (
          <>
            <StatusSteps label="Your account" stops={stopsAt(step)} />
            <p className="app-quiet">{next}</p>
          </>
        )}
        <SetUpLink address={merchant.signup_url} isNext={step === 0} />
        <section className="app-logs" aria-labelledby="logs">
          <h2 id="logs">History</h2>
          {logs.length === 0 ? (
            <p className="app-quiet">No logs available.</p>
          ) : (
            <ul>
              {logs.map(({ event, created_at }) => (
                <li key={`${created_at} ${event}`}>
                  <span>{event}</span>
                  <time dateTime={created_at}>{formatMoment(created_at)}</time>
                </li>
              ))}
            </ul>
          )}
        </section>
        <SupportFooter support={support} />
      </section>
      <div className="first-hour-below">
        <Lazy screen={firstHour} props={{ level: 2 }} />
      </div>
    </>
  );
}

/** A link to the provider's page in a new tab. This page then updates automatically. */
function SetUpLink({ address, isNext }: { address: string; isNext: boolean }) {
  const href = safeLink(address);
  if (!href) {
    return (
      <p>
        Complete Setup Process: <span className="app-address">{address || 'The address is not available yet.'}</span>
      </p>
    );
  }
  return (
    <a
      className={`button button-wide ${isNext ? 'button-primary' : 'button-secondary'}`}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
    >
      Complete Setup Process
      <MoreIcon name="external" size="sm" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}
