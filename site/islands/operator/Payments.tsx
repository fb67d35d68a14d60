import { useState } from 'react';
import type { OperatorOverview, PaymentsBody } from '#shared/contracts/operators/operator';
import { operatorLimits } from '#shared/contracts/operators/operator-values';
import { sendJson } from '../ui/api/api-client.ts';
import { Act } from '../ui/feedback/Act.tsx';
import { Field } from '../ui/form/Field.tsx';
import { formatSince } from '../ui/format-moment.ts';
import { act, readDone, toldBy } from './api.ts';

/** "Resumed by Olga Reyes at 1:16 AM: Provider is fine." */
export function switched({ state, by: source, since, reason, operator }: OperatorOverview['payments']): string {
  if (source === 'setting') return 'The setting PAY_PAGE pauses them; change it there and deploy.';
  if (since === null) return '';
  const when = formatSince(since);
  const by = operator && ` by ${operator}`;
  const why = reason && `: ${reason.replace(/\.$/, '')}`;
  return `${state === 'paused' ? 'Paused' : 'Resumed'}${by} ${when.includes(',') ? 'on' : 'at'} ${when}${why}.`;
}

type Props = { payments: OperatorOverview['payments']; onDone(): void };

/** Shows if payers can pay online, with the switch. */
export function Payments({ payments, onDone }: Props) {
  const [reason, setReason] = useState('');
  const { state, by } = payments;
  const isPaused = state === 'paused';
  const next = isPaused ? 'open' : 'paused';
  return (
    <div className="op-payments">
      <p>
        <strong>{isPaused ? 'Online payments are paused.' : 'Online payments are open.'}</strong> {switched(payments)}
      </p>
      {by !== 'setting' && (
        <Act
          label={isPaused ? 'Resume payments' : 'Pause payments'}
          title={isPaused ? 'Resume online payments of all clinics?' : 'Pause online payments of all clinics?'}
          verb={isPaused ? 'Resume' : 'Pause'}
          destroys={!isPaused}
          run={() => act('payments', readDone, sendJson<PaymentsBody>('PUT', { state: next, reason }))}
          done={toldBy}
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
        </Act>
      )}
    </div>
  );
}
