import { OperatorMails } from '#shared/contracts/operators/operator';
import { describeDelivery } from '#shared/text/delivery-words';
import { formatCount } from '#shared/text/format-count';
import { readWith } from '../ui/api/parse-response.ts';
import { formatSince } from '../ui/format-moment.ts';
import { AppLink, useSearch } from '../ui/routing/router.tsx';
import { usePolledView } from './api.ts';
import { Mails } from './Mails.tsx';
import { Screen } from './Screen.tsx';
import { mailName } from './words.ts';

const readMails = readWith(OperatorMails);

/** All unsent emails and the newest sent ones, of the installation or of the clinic in the page's address. */
export function MailList() {
  const clinic = Number(new URLSearchParams(useSearch()).get('clinic')) || 0;
  const view = usePolledView(`mails${clinic ? `?clinic=${clinic}` : ''}`, readMails, null);
  return (
    <Screen
      title="Mails"
      view={view}
      lead={
        clinic ? (
          <p>
            Of <AppLink href={`/operator/clinics/${clinic}`}>{view.data?.name || `Clinic ${clinic}`}</AppLink>.{' '}
            <AppLink href="/operator/mails">Emails of the installation</AppLink>
          </p>
        ) : (
          <p className="app-quiet">
            Of the installation: alerts, invitations, passwords. A clinic’s page leads to the emails of that clinic.
          </p>
        )
      }
    >
      {(mails) => (
        <>
          <section className="op-part" aria-label="Not sent">
            <h2>Not sent ({mails.due + mails.failed + mails.waiting})</h2>
            <div className="card">
              <Mails mails={mails} clinic={clinic} onDone={() => void view.refresh()} />
            </div>
          </section>
          <section className="op-part" aria-label="Sent">
            <h2>Sent</h2>
            <div className="card">
              {mails.sent.length === 0 && <p className="app-quiet">No email was sent yet.</p>}
              <ul className="op-rows">
                {mails.sent.map(({ id, kind, at, delivery }) => (
                  <li key={id}>
                    <span className="op-main">{mailName(kind)}</span>
                    <span className="op-sub">{describeDelivery(delivery)}</span>
                    <span className="op-when">{formatSince(at)}</span>
                  </li>
                ))}
              </ul>
            </div>
            <p className="op-sub">
              {mails.sent.length > 1 && `The newest ${formatCount(mails.sent.length, 'email')}. `}Recipients are not
              shown.
            </p>
          </section>
        </>
      )}
    </Screen>
  );
}
