import { useEffect, useState } from 'react';
import type { JoinOffer } from '#shared/contracts/staff/team';
import { operator } from '#shared/operator';
import { describeRole } from '#shared/text/staff-roles';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { acceptJoinOffer, readJoinOffer } from './api.ts';
import '#site/styles/parts/page/card.css';
import '#site/styles/areas/merchant/app.css';

type Load =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string; isEnded: boolean }
  | { kind: 'loaded'; offer: JoinOffer };

/** Returns the link's secret, the last part of the path. It must not be stored, or sent anywhere but to our API. */
const readSecret = () => window.location.pathname.split('/').at(-1) ?? '';

/** The page for joining a clinic's team, which the link in an invitation email opens. */
export function JoinPage() {
  const [load, setLoad] = useState<Load>({ kind: 'loading' });
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const loadOffer = async () => {
    const answer = await readJoinOffer(readSecret());
    if (answer.ok) return setLoad({ kind: 'loaded', offer: answer.value });
    setLoad({ kind: 'failed', message: answer.error.message, isEnded: answer.error.status === 410 });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the page opens
  useEffect(() => void loadOffer(), []);

  const accept = async () => {
    setBusy(true);
    setFailure(null);
    const answer = await acceptJoinOffer(readSecret());
    // The link works once and must not stay in the browser's history.
    if (answer.ok) return window.location.replace('/');
    setBusy(false);
    setFailure(answer.error.message);
  };
  return (
    <main className="app-main" id="main">
      <section className="card app-narrow" aria-labelledby="join">
        {load.kind === 'loading' && (
          <>
            <h1 id="join">Your invitation</h1>
            <p role="status" className="app-quiet">
              Loading...
            </p>
          </>
        )}
        {load.kind === 'failed' && (
          <>
            <h1 id="join">{load.isEnded ? 'This invitation has ended' : 'The invitation could not be loaded'}</h1>
            <p role="alert">{load.message}</p>
            {load.isEnded ? (
              <p>
                Already on the team? <a href="/login">Log in</a>
              </p>
            ) : (
              <Button onClick={() => void loadOffer()}>Retry</Button>
            )}
          </>
        )}
        {load.kind === 'loaded' && (
          <JoinDetails offer={load.offer}>
            {failure && <Banner tone="bad" lead={failure} />}
            <Button kind="primary" size="lg" wide busy={isBusy} onClick={() => void accept()}>
              Accept and log in
            </Button>
          </JoinDetails>
        )}
      </section>
    </main>
  );
}

function JoinDetails({ offer, children }: { offer: JoinOffer; children: React.ReactNode }) {
  const { business, email, name, role, invited_by, ends_at } = offer;
  return (
    <>
      <h1 id="join">Join {business}</h1>
      <p>
        {invited_by || operator.name} invites {name || 'you'} to work with {operator.name} at {business},{' '}
        {describeRole(role)}
      </p>
      {children}
      <p className="app-quiet">
        For {email}, until {formatDay(ends_at)}. The link works once. If you did not expect an invitation, ignore this
        email.
      </p>
    </>
  );
}
