import { roleWords } from '#shared/text/staff-roles';
import { readAppView } from '#site/islands/merchant/common/app-view.ts';
import { areSettled, useLoad } from '#site/islands/merchant/common/use-load.tsx';
import { AccountFrame, Columns, LoadingText, useSectionAtHash } from '../AccountFrame.tsx';
import { fetchFactors } from '../api.ts';
import { breakableEmail } from '../break-address.tsx';
import { Connection, fetchUser } from './Connection.tsx';
import { LoginFactors } from './OwnFactors.tsx';
import { fetchNotices, PaymentNotices } from './PaymentNotices.tsx';
import { fetchSessions, Sessions } from './Sessions.tsx';

/** The logged-in user's page, with their name, role, email setting, login methods, sessions, and the CRM connection. */
export function UserInfo() {
  const user = useLoad('user', 'Failed to fetch the user', fetchUser);
  const notices = useLoad('payment-notices', 'Failed to fetch your email setting', fetchNotices);
  const factors = useLoad('factors', 'Failed to fetch passkeys and PIN', fetchFactors);
  const sessions = useLoad('sessions', 'Failed to fetch the sessions', fetchSessions);
  // All sections appear at the same time, so that a section that loads late does not move the others.
  const isReady = areSettled(user, notices, factors, sessions);
  useSectionAtHash(isReady);
  return (
    <AccountFrame title="User Info">
      <Columns
        first={
          <>
            <UserSummary />
            {isReady ? (
              <>
                <PaymentNotices load={notices} />
                <LoginFactors load={factors} />
              </>
            ) : (
              <LoadingText />
            )}
          </>
        }
        second={
          isReady && (
            <>
              <Sessions load={sessions} />
              <Connection load={user} />
            </>
          )
        }
      />
    </AccountFrame>
  );
}

function UserSummary() {
  const { data, person } = readAppView();
  const role = roleWords[person.role].name;
  return (
    <section className="card account-you" aria-label="You">
      <p>
        <strong>{person.name || breakableEmail(person.email) || 'Support'}</strong>
        {person.name && <span className="account-sub">{breakableEmail(person.email)}</span>}
      </p>
      <p>
        {role}
        <span className="account-sub">{data.merchant?.merchant_name}</span>
      </p>
    </section>
  );
}
