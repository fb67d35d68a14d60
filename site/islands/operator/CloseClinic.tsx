import { useState } from 'react';
import type { OperatorClinic } from '#shared/contracts/operators/operator';
import { sendJson } from '../ui/api/api-client.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { ConfirmedAction } from '../ui/feedback/ConfirmedAction.tsx';
import { Field } from '../ui/form/Field.tsx';
import { formatDay, formatMoment } from '../ui/format-moment.ts';
import { doneMessage, readDone, sendAction } from './api.ts';

/** Shows that the closing of a clinic is scheduled or running. */
export function ClosingStatus({ data: { closing, erasing_until } }: { data: OperatorClinic }) {
  return (
    <>
      {erasing_until && (
        <Banner tone="warn" role="status" lead="This clinic is being closed now.">
          It starts no payment until {formatMoment(erasing_until)}, or until the closing was refused. Refresh to see the
          outcome.
        </Banner>
      )}
      {closing && (
        <Banner tone="warn" role="status" lead={`This clinic closes on ${formatDay(closing.closes_on)}.`}>
          {closing.asked_by || 'An administrator'} asked for it, and any administrator of the clinic can cancel it until
          then.
          {closing.stood.length > 0 && ` It could not be closed yet: ${closing.stood.join('; ')}.`}
        </Banner>
      )}
    </>
  );
}

type Props = { clinic: OperatorClinic['clinic']; onDone(): void };

/** Closes a clinic at once; the operator must type the clinic's name first. */
export function CloseClinic({ clinic: { number, name }, onDone }: Props) {
  const [typedName, setTypedName] = useState('');
  const shownName = name || `Clinic ${number}`;
  return (
    <section className="op-part" aria-label="Close this clinic">
      <h2>Close this clinic</h2>
      <div className="card op-close">
        <p>
          Erases its database, signatures and downloads at once, and ends its links and logins. Records of payments and
          acts are kept for seven years, without payers; nightly dumps expire. While money may still move, it is refused
          with the reasons, and the clinic keeps working.
        </p>
        <p>
          Administrators of the clinic can close it themselves on a chosen day (Account, Records and closing), and
          download everything before.
        </p>
        <div>
          <ConfirmedAction
            label="Close this clinic"
            title={`Close ${shownName} now?`}
            confirmLabel="Close"
            isDestructive
            runAction={() =>
              sendAction(`clinics/${number}/closing`, readDone, sendJson<{ name: string }>('POST', { name: typedName }))
            }
            successText={doneMessage}
            onDone={() => {
              setTypedName('');
              onDone();
            }}
          >
            <p>This cannot be undone. Cloudflare can bring back its database for 30 days.</p>
            <Field
              id="closing-name"
              label={name ? `Type “${name}”` : 'Leave this empty: the clinic has no name'}
              autoComplete="off"
              value={typedName}
              onChange={({ target }) => setTypedName(target.value)}
            />
          </ConfirmedAction>
        </div>
      </div>
    </section>
  );
}
