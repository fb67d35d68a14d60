import { useState } from 'react';
import type { OperatorOverview, PaymentsBody } from '#shared/contracts/operators/operator';
import { operatorLimits } from '#shared/contracts/operators/operator-values';
import { sendJson } from '../ui/api/api-client.ts';
import { ConfirmedAction } from '../ui/feedback/ConfirmedAction.tsx';
import { Field } from '../ui/form/Field.tsx';
import { doneMessage, readDone, sendAction } from './api.ts';
import { describeSwitch } from './words.ts';

type Props = { payments: OperatorOverview['payments']; onDone(): void };

/** Shows whether payers can pay online, and the switch. */
export function Payments({ payments, onDone }: Props) {
  const [reason, setReason] = useState('');
  const { state, by } = payments;
  const isPaused = state === 'paused';
  const next = isPaused ? 'open' : 'paused';
  return (
    <div className="op-payments">
      <p>
        <strong>{isPaused ? 'Online payments are paused.' : 'Online payments are open.'}</strong>{' '}
        {describeSwitch(payments)}
      </p>
      {by !== 'setting' && (
        <ConfirmedAction
          label={isPaused ? 'Resume payments' : 'Pause payments'}
          title={isPaused ? 'Resume online payments of all clinics?' : 'Pause online payments of all clinics?'}
          confirmLabel={isPaused ? 'Resume' : 'Pause'}
          isDestructive={!isPaused}
          runAction={() => sendAction('payments', readDone, sendJson<PaymentsBody>('PUT', { state: next, reason }))}
          successText={doneMessage}
          onDone={() => {
            setReason('');
            onDone();
          }}
        >
          <p>
            {isPaused
              ? 'Payers can pay by their links again within ten seconds.'
              : 'Within ten seconds no payer can pay by a link; each is told whom to contact. Payments that were sent continue, and card readers keep working.'}
          </p>
          <Field
            id="reason"
            label="Why"
            hint="It is kept in the audit trail."
            value={reason}
            maxLength={operatorLimits.reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </ConfirmedAction>
      )}
    </div>
  );
}
