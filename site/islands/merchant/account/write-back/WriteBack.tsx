import { useState } from 'react';
import type { WriteBack as View } from '#shared/contracts/payments/write-back';
import { partners } from '#shared/partners';
import { may } from '#site/islands/merchant/parts/app-view.ts';
import { WhoMay } from '#site/islands/merchant/parts/ForRight.tsx';
import { LoadFailure, useLoad } from '#site/islands/merchant/parts/use-load.tsx';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Act } from '#site/islands/ui/feedback/Act.tsx';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { fetchWriteBack, saveWriteBack } from '../api.ts';
import { Unrecorded } from './Unrecorded.tsx';

const CRM = partners.crm;

/** The switch for recording payments in the CRM, and the payments missing there. */
export const WriteBack = () => (
  <AccountFrame title={`${CRM} records`} right="oversee">
    <Loaded />
  </AccountFrame>
);

function Loaded() {
  const load = useLoad('write-back', `Failed to fetch what ${CRM} is told`, () => fetchWriteBack());
  const [fresh, setFresh] = useState<View | null>(null);
  const view = fresh ?? load.value;
  return (
    <>
      <p>What {CRM} knows of the payments that were taken here.</p>
      <LoadFailure lead={`What ${CRM} is told could not be loaded.`} load={load} />
      {!view && !load.failure && (
        <p role="status" className="app-quiet">
          Loading...
        </p>
      )}
      {view && <Switch view={view} onChanged={setFresh} />}
      {view && <Unrecorded view={view} onChanged={setFresh} />}
    </>
  );
}

type Props = { view: View; onChanged(view: View): void };

function Switch({ view, onChanged }: Props) {
  const { is_on, recorded } = view;
  return (
    <section className="card account-part" aria-labelledby="write-back">
      <h2 id="write-back">Record payments in {CRM}</h2>
      <p>
        <Badge tone={is_on ? 'ok' : 'plain'} icon={is_on ? 'check' : 'minus'}>
          {is_on ? 'On' : 'Off'}
        </Badge>{' '}
        <Badge tone="warn" icon="warn">
          Not yet proven with {CRM}
        </Badge>
      </p>
      <p>
        Each payment becomes one payment record beside its invoice, some moments after it was taken; refunds follow. An
        invoice counts as recorded only when {CRM} shows the lower balance. An accounting program that is connected to{' '}
        {CRM}, such as QuickBooks or Xero, may then book the same money twice.
      </p>
      {is_on && recorded > 0 && (
        <p>
          {recorded} of the newest payments {recorded === 1 ? 'is' : 'are'} recorded.
        </p>
      )}
      <Trouble view={view} />
      <Choice view={view} onChanged={onChanged} />
    </section>
  );
}

function Trouble({ view: { trouble, said } }: Pick<Props, 'view'>) {
  if (trouble === 'not_allowed')
    return (
      <Banner tone="warn">
        {CRM} does not let Tillway record payments. Nothing is recorded until an administrator presses Let Tillway
        record payments in {CRM}.
      </Banner>
    );
  if (trouble === 'cannot')
    return (
      <Banner tone="warn">
        {CRM} did not accept a payment: {said} Correct this in {CRM}, then an administrator presses Try again now. By
        itself it is tried again in a week.
      </Banner>
    );
  return null;
}

/** The actions that are open to an administrator in the current state. */
function Choice({ view, onChanged }: Props) {
  const { is_on, is_granted, is_offered, trouble } = view;
  if (!may('administer')) return <WhoMay right="administer" act="change this" />;
  if (!is_offered && !is_granted)
    return <p className="app-quiet">This installation does not ask {CRM} for the right to record payments.</p>;
  return (
    <div className="account-actions">
      {!is_granted && (
        <a className="button button-primary" href="/oauth/start?payments=record">
          Let Tillway record payments in {CRM}
        </a>
      )}
      {is_granted && trouble === 'cannot' && (
        <Act
          isApart
          label="Try again now"
          title={`Try again to record payments in ${CRM}?`}
          verb="Try again"
          run={() => saveWriteBack(true)}
          done="They are tried again."
          onDone={onChanged}
        >
          <p>Payments that wait are recorded now, those that {CRM} did not accept included.</p>
        </Act>
      )}
      {(is_granted || is_on) && (
        <Act
          isApart
          label={is_on ? 'Switch off' : 'Switch on'}
          title={`${is_on ? 'Stop recording' : 'Record'} payments in ${CRM}?`}
          verb={is_on ? 'Switch off' : 'Switch on'}
          run={() => saveWriteBack(!is_on)}
          done={is_on ? 'Payments are not recorded any more.' : 'Payments are recorded from now on.'}
          onDone={onChanged}
        >
          <p>
            {is_on
              ? `${CRM} keeps the records that it has. New payments, and refunds of recorded ones, are not told any more.`
              : 'Payments from now on are recorded. Those before stay as they are.'}
          </p>
        </Act>
      )}
    </div>
  );
}
