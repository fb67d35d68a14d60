import { useState } from 'react';
import type { WriteBack } from '#shared/contracts/payments/write-back';
import { partners } from '#shared/partners';
import { hasRight } from '#site/islands/merchant/common/app-view.ts';
import { RightHolders } from '#site/islands/merchant/common/RequireRight.tsx';
import { LoadFailure, type LoadState } from '#site/islands/merchant/common/use-load.tsx';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { saveWriteBack } from '../api.ts';
import { UnrecordedPayments } from './Unrecorded.tsx';

const CRM_NAME = partners.crm;

/** Shows the payments that the CRM lacks, and a switch for recording payments there if the operator offers it. */
export function CrmRecording({ load }: { load: LoadState<WriteBack> }) {
  const [updated, setUpdated] = useState<WriteBack | null>(null);
  const view = updated ?? load.value;
  return (
    <section className="card account-part" aria-labelledby="recording">
      <h2 id="recording">Payments in {CRM_NAME}</h2>
      <LoadFailure lead={`The payments missing in ${CRM_NAME} could not be loaded.`} load={load} />
      {view && (view.is_offered || view.is_on) && <Switch view={view} onChanged={setUpdated} />}
      {view && <UnrecordedPayments view={view} onChanged={setUpdated} />}
    </section>
  );
}

type Props = { view: WriteBack; onChanged(view: WriteBack): void };

function Switch({ view, onChanged }: Props) {
  const { is_on, recorded } = view;
  return (
    <section className="account-inner" aria-labelledby="write-back">
      <h3 id="write-back">Record payments in {CRM_NAME}</h3>
      <p>
        <Badge tone={is_on ? 'ok' : 'plain'} icon={is_on ? 'check' : 'minus'}>
          {is_on ? 'On' : 'Off'}
        </Badge>
      </p>
      <p>
        If this is on, each payment is added to its invoice in {CRM_NAME} shortly after it is taken, and refunds follow.
        An invoice counts as recorded only when {CRM_NAME} shows the lower balance. If accounting software such as
        QuickBooks or Xero is connected to {CRM_NAME}, check that it does not then book the same payment twice.
      </p>
      {is_on && recorded > 0 && (
        <p>
          {recorded} of the newest payments {recorded === 1 ? 'is' : 'are'} recorded.
        </p>
      )}
      <RecordingProblem view={view} />
      <Actions view={view} onChanged={onChanged} />
    </section>
  );
}

function RecordingProblem({ view: { trouble, said } }: Pick<Props, 'view'>) {
  if (trouble === 'not_allowed')
    return (
      <Banner tone="warn">
        {CRM_NAME} does not let Tillway record payments. Nothing is recorded until an administrator allows it with the
        button below.
      </Banner>
    );
  if (trouble === 'cannot')
    return (
      <Banner tone="warn">
        {CRM_NAME} did not accept a payment: {said} Correct this in {CRM_NAME}, then an administrator can press Try
        again now. Otherwise it is tried again in a week.
      </Banner>
    );
  return null;
}

/** The actions that an administrator can take in the current state. */
function Actions({ view, onChanged }: Props) {
  const { is_on, is_granted, is_offered, trouble } = view;
  if (!hasRight('administer')) return <RightHolders right="administer" action="change this" />;
  return (
    <div className="account-actions">
      {!is_granted && is_offered && (
        <a className="button button-primary" href="/oauth/start?payments=record">
          Allow Tillway to record payments in {CRM_NAME}
        </a>
      )}
      {is_granted && trouble === 'cannot' && (
        <ConfirmedAction
          isFullSize
          label="Try again now"
          title={`Try to record payments in ${CRM_NAME} again?`}
          confirmLabel="Try again"
          runAction={() => saveWriteBack(true)}
          successText="Tillway tries again to record them."
          onDone={onChanged}
        >
          <p>Waiting payments are recorded now, including those that {CRM_NAME} did not accept.</p>
        </ConfirmedAction>
      )}
      {(is_granted || is_on) && (
        <ConfirmedAction
          isFullSize
          label={is_on ? 'Switch off' : 'Switch on'}
          title={`${is_on ? 'Stop recording' : 'Record'} payments in ${CRM_NAME}?`}
          confirmLabel={is_on ? 'Switch off' : 'Switch on'}
          runAction={() => saveWriteBack(!is_on)}
          successText={is_on ? 'Payments are no longer recorded.' : 'Payments are recorded from now on.'}
          onDone={onChanged}
        >
          <p>
            {is_on
              ? `${CRM_NAME} keeps the records that it has. New payments, and refunds of recorded ones, are no longer added.`
              : 'Payments from now on are recorded. Earlier ones stay as they are.'}
          </p>
        </ConfirmedAction>
      )}
    </div>
  );
}
