import { useState } from 'react';
import type { ClosingStatus } from '#shared/contracts/staff/archive-and-closing';
import { storeOnlineOff } from '#site/islands/merchant/common/online-off.ts';
import { LoadFailure, useLoad } from '#site/islands/merchant/common/use-load.tsx';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field, FieldError } from '#site/islands/ui/form/Field.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { cancelClosing, closeAccount, fetchClosing } from '../api.ts';

/** Schedules the closing of the account for a chosen day. Until then, it can be cancelled. */
export function AccountClosing() {
  const load = useLoad('closing', 'Failed to fetch the closing of the account', fetchClosing);
  const [updated, setUpdated] = useState<ClosingStatus | null>(null);
  const status = updated ?? load.value;
  const change = (next: ClosingStatus) => {
    setUpdated(next);
    storeOnlineOff(next.closes_on ? { online_off: 'closing', closes_on: next.closes_on } : {});
  };
  return (
    <section className="card account-part" aria-labelledby="closing">
      <h2 id="closing">Close the account</h2>
      <LoadFailure lead="The closing of the account could not be loaded." load={load} />
      {status?.closes_on ? (
        <ScheduledClosing status={status} onChanged={change} />
      ) : (
        status && <CloseForm status={status} onChanged={change} />
      )}
    </section>
  );
}

type Props = { status: ClosingStatus; onChanged(status: ClosingStatus): void };

function ScheduledClosing({ status: { closes_on, asked_by, stood }, onChanged }: Props) {
  return (
    <>
      <Banner tone="warn" lead={`This account closes on ${formatDay(closes_on)}.`}>
        {asked_by} asked for it. No new payments are taken. Payments in progress are finished, and refunds are still
        possible.
      </Banner>
      {stood.length > 0 && (
        <div>
          <p>It could not be closed yet. We try again each night:</p>
          <ul>
            {stood.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
      <div>
        <ConfirmedAction
          label="Keep the account"
          title="Keep the account?"
          confirmLabel="Keep it"
          runAction={cancelClosing}
          successText="The account stays open and takes payments again."
          onDone={onChanged}
        >
          <p>Payment links and card readers take payments again at once.</p>
        </ConfirmedAction>
      </div>
    </>
  );
}

function CloseForm({ status: { business, earliest, latest }, onChanged }: Props) {
  const [day, setDay] = useState('');
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    setFailure(undefined);
    const answer = await closeAccount({ closes_on: day, business: name });
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.message);
    toast('The account will be closed. Every administrator gets an email.');
    onChanged(answer.value);
  };
  return (
    <form
      noValidate
      className="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void send();
      }}
    >
      <p>
        As soon as you confirm, no new payments are taken, and payment links and card readers say so. Payments in
        progress are finished, and refunds are still possible. During the night of the chosen day, everything here is
        erased, signatures too. Until then, any administrator can cancel it. Records of payments are kept for seven
        years, without patients’ names. Download everything first. Afterwards, uninstall the app in your CRM, under its
        connected apps.
      </p>
      <Field
        id="closes-on"
        label="Day"
        type="date"
        min={earliest}
        max={latest}
        value={day}
        hint={`From ${formatDay(earliest)} to ${formatDay(latest)}. A bank debit can come back for 60 days, and keeps the account open that long.`}
        onChange={(event) => setDay(event.target.value)}
      />
      <Field
        id="closing-name"
        label={`Type “${business}”`}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <FieldError id="closing-error" text={failure} />
      <div>
        <Button type="submit" kind="bad" busy={isBusy}>
          Close the account
        </Button>
      </div>
    </form>
  );
}
