import { useState } from 'react';
import { InvitedOperator, Operators } from '#shared/contracts/operators/operator';
import { type Reader, readWith } from '../ui/api/parse-response.ts';
import { readEmptyBody } from '../ui/api/read-nothing.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { ConfirmedAction } from '../ui/feedback/ConfirmedAction.tsx';
import { formatMoment, formatWhen } from '../ui/format-moment.ts';
import { doneMessage, sendAction, usePolledView } from './api.ts';
import '#site/styles/areas/operator/guide.css';

const readOperators = readWith(Operators);
const readInvited = readWith(InvitedOperator);
const readEmptyReply =
  (done: string): Reader<{ done: string }> =>
  (...reply) =>
    readEmptyBody(...reply) && { done };

/** The operators of this installation, who invite and remove each other. */
export function OperatorList() {
  const { data, failure, refresh } = usePolledView('operators', readOperators, null);
  const [invitation, setInvitation] = useState<InvitedOperator | null>(null);
  const invite = async () => {
    const answer = await sendAction('operators/invitations', readInvited, { method: 'POST' });
    if (answer.ok) setInvitation(answer.value);
    return answer.ok ? { ok: true as const, value: { done: 'A code was made.' } } : answer;
  };
  return (
    <div className="op-page app-wide">
      <h1 tabIndex={-1}>Operators</h1>
      {failure && <Banner tone="bad" lead={failure} />}
      {!data && !failure && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
      {data && (
        <section className="card" aria-label="Who runs this installation">
          <ul className="op-rows">
            {data.operators.map(({ id, name, is_you, created_at, last_seen_at }) => (
              <li key={id}>
                <span className="op-main">
                  <strong>{name}</strong>
                  {is_you && ' (you)'}
                  <span className="op-sub">
                    since {formatWhen(created_at)}
                    {last_seen_at && `, passkey last shown ${formatWhen(last_seen_at)}`}
                  </span>
                </span>
                {data.operators.length > 1 && (
                  <ConfirmedAction
                    label="Remove"
                    labelSuffix={name}
                    title={is_you ? 'Remove yourself?' : `Remove ${name}?`}
                    confirmLabel="Remove"
                    isDestructive
                    runAction={() =>
                      sendAction(`operators/${id}`, readEmptyReply('The operator was removed.'), { method: 'DELETE' })
                    }
                    successText={doneMessage}
                    onDone={() => void refresh()}
                  >
                    <p>Their passkey opens nothing any more, here and in every browser, and codes they gave out end.</p>
                  </ConfirmedAction>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {data && (
        <section className="card op-page" aria-labelledby="invite">
          <h2 id="invite">Let another operator in</h2>
          {invitation && (
            <Banner tone="ok" lead="Hand this code over in a way you trust. It is shown only now.">
              <code className="op-code">{invitation.code}</code> It works once, until {formatMoment(invitation.ends_at)}
              .
            </Banner>
          )}
          <p className="app-quiet">
            They open <code>/operator</code>, choose “I have a code”, and make a passkey of their own.
          </p>
          <div>
            <ConfirmedAction
              label="Make a code"
              title="Make a code for a new operator?"
              confirmLabel="Make a code"
              runAction={invite}
              successText={doneMessage}
              onDone={() => void refresh()}
            >
              <p>Anyone who uses it sees all that you see here, and may do all that you may do.</p>
            </ConfirmedAction>
          </div>
          {data.codes.length > 0 && (
            <ul className="op-rows" aria-label="Unused codes">
              {data.codes.map(({ id, by, ends_at }) => (
                <li key={id}>
                  <span className="op-main op-sub">
                    An unused code of {by || 'the settings'}, good until {formatMoment(ends_at)}
                  </span>
                  <ConfirmedAction
                    label="Withdraw"
                    labelSuffix={`the code of ${by || 'the settings'}`}
                    title="Withdraw this code?"
                    confirmLabel="Withdraw"
                    isDestructive
                    runAction={() =>
                      sendAction(`operators/invitations/${id}`, readEmptyReply('The code was withdrawn.'), {
                        method: 'DELETE',
                      })
                    }
                    successText={doneMessage}
                    onDone={() => void refresh()}
                  >
                    <p>It stops working at once. You can make a new one.</p>
                  </ConfirmedAction>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
    </div>
  );
}
