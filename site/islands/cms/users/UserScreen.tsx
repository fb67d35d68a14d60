import { useCallback, useEffect, useRef, useState } from 'react';
import { UsersReply } from '#shared/contracts/content/content';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { call } from '../api.ts';
import { InviteForm } from './InviteForm.tsx';
import { Person, TakeBack, Waiting } from './Person.tsx';

const readUsers = readWith(UsersReply);

/** Who may write here: owners invite, let in, change and remove. */
export function UserScreen() {
  const [people, setPeople] = useState<UsersReply | null>(null);
  const [failure, setFailure] = useState('');
  const [refusal, setRefusal] = useState('');
  const read = useCallback(async () => {
    const answer = await call('/api/cms/users', readUsers);
    if (answer.ok) setPeople(answer.value);
    setFailure(answer.ok ? '' : answer.error.message);
  }, []);
  useEffect(() => {
    void read();
  }, [read]);
  const changed = useRef('');
  // A removed row takes its focused button away: focus its section, or the list once the section is empty.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row goes when the list was read anew
  useEffect(() => {
    const part = changed.current;
    changed.current = '';
    if (part && document.activeElement === document.body)
      (document.getElementById(part) ?? document.getElementById('people'))?.focus();
  }, [people]);
  const after = (part: string) => ({
    onChanged: () => {
      changed.current = part;
      void read();
    },
    onFailed: setRefusal,
  });
  const waiting = people?.users.filter(({ status }) => status === 'pending') ?? [];
  const active = people?.users.filter(({ status }) => status === 'active') ?? [];

  return (
    <div className="cms-stack app-wide">
      <h1 tabIndex={-1}>Users</h1>
      {refusal && <Banner tone="bad" lead={refusal} onDismiss={() => setRefusal('')} />}
      {failure && <Banner tone="bad" lead={failure} onDismiss={() => setFailure('')} />}
      {!people && !failure && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
      {waiting.length > 0 && (
        <section className="card" aria-labelledby="waiting">
          <h2 id="waiting" tabIndex={-1}>
            Waiting for you
          </h2>
          <ul className="cms-people">
            {waiting.map((user) => (
              <Waiting key={user.id} user={user} {...after('waiting')} />
            ))}
          </ul>
        </section>
      )}
      {people && (
        <section className="card" aria-labelledby="people">
          <h2 id="people" tabIndex={-1}>
            Who writes here
          </h2>
          <ul className="cms-people">
            {active.map((user) => (
              <Person key={user.id} user={user} {...after('people')} />
            ))}
          </ul>
        </section>
      )}
      {people && (
        <section className="card cms-stack" aria-labelledby="invite">
          <h2 id="invite" tabIndex={-1}>
            Invite somebody
          </h2>
          <InviteForm onInvited={() => void read()} />
          {people.invitations.length > 0 && (
            <ul className="cms-people" aria-label="Open invitations">
              {people.invitations.map((one) => (
                <li key={one.id}>
                  <span className="cms-person">
                    {one.email}
                    <span className="cms-sub">
                      {one.role}, invited by {one.invitedBy}, ends {formatDay(one.endsAt)}
                    </span>
                  </span>
                  <TakeBack invitation={one} {...after('invite')} />
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {/* The lists would push it away from under the pointer. */}
      {(people || failure) && (
        <p>
          <AppLink href="/cms/audit">Audit trail</AppLink>
          <span className="app-quiet">: who did what in this content area.</span>
        </p>
      )}
    </div>
  );
}
