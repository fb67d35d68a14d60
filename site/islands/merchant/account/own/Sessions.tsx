import { type StaffSession, StaffSessions } from '#shared/contracts/staff/team';
import type { SessionBeginning } from '#shared/contracts/staff/team-values';
import { partners } from '#shared/partners';
import { api, leaveTo } from '#site/islands/merchant/api/api.ts';
import { LoadFailure, type LoadState } from '#site/islands/merchant/common/use-load.tsx';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { formatMoment, formatSince } from '#site/islands/ui/format-moment.ts';

const readSessions = readWith(StaffSessions, ({ sessions }) => sessions);
/** Accepts any reply, since the list is reloaded or the user leaves the page. */
const acceptAny = () => true as const;
/** Ends a session, or all of the user's sessions if there is no id. */
const endSession = (id = '') =>
  api.call(`/api/sessions${id && `/${encodeURIComponent(id)}`}`, acceptAny, { method: 'DELETE' });

export const fetchSessions = () => api.call('/api/sessions', readSessions);

/** Lists the user's active sessions. */
export function Sessions({ load }: { load: LoadState<StaffSession[]> }) {
  const { value: sessions, reload } = load;
  return (
    <section className="card account-part" aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <p>The browsers in which you are logged in. End any that you do not recognize.</p>
      <LoadFailure lead="The sessions could not be loaded." load={load} />
      {sessions && (
        <ul className="account-rows">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} onEnded={reload} />
          ))}
        </ul>
      )}
      {sessions && (
        <div>
          <ConfirmedAction
            label="End all sessions"
            title="End all your sessions?"
            confirmLabel="End all"
            isDestructive
            isFullSize
            runAction={() => endSession()}
            successText="All your sessions have ended."
            onDone={() => leaveTo('/login')}
          >
            <p>You are logged out everywhere, in this browser too.</p>
          </ConfirmedAction>
        </div>
      )}
    </section>
  );
}

const loginMethods: Record<SessionBeginning, string> = {
  crm: `through ${partners.crm}`,
  passkey: 'with a passkey',
  code: 'with a code by email',
  pin: 'with a PIN at the front desk',
};

function SessionRow({ session, onEnded }: { session: StaffSession; onEnded(): void }) {
  const { id, is_this, browser, began_by, began_at, seen_at, ends_at } = session;
  const name = browser || 'Unknown browser';
  return (
    <li>
      <span className="account-main">
        <strong>{name}</strong>{' '}
        {is_this && (
          <Badge tone="ok" icon="check">
            This device
          </Badge>
        )}
        <span className="account-sub">
          Since {formatMoment(began_at)}, {loginMethods[began_by]}
        </span>
        <span className="account-sub">
          Last seen {formatSince(seen_at)}, ends {formatSince(ends_at)}
        </span>
      </span>
      <ConfirmedAction
        label="End"
        labelSuffix={`${name}, since ${formatMoment(began_at)}`}
        title={is_this ? 'End the session on this device?' : `End the session in ${name}?`}
        confirmLabel="End session"
        isDestructive
        runAction={() => endSession(id)}
        successText="The session has ended."
        onDone={() => (is_this ? leaveTo('/login') : onEnded())}
      >
        <p>{is_this ? 'You are logged out here.' : 'That browser is logged out at its next request.'}</p>
      </ConfirmedAction>
    </li>
  );
}
