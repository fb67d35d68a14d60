import type { Mails as MailsSeen, SendAgainBody } from '#shared/contracts/operators/operator';
import { describeDelivery } from '#shared/text/delivery-words';
import { formatCount } from '#shared/text/format-count';
import { sendJson } from '../ui/api/api-client.ts';
import { ConfirmedAction } from '../ui/feedback/ConfirmedAction.tsx';
import { formatSince } from '../ui/format-moment.ts';
import { doneMessage, readDone, sendAction } from './api.ts';
import { mailName } from './words.ts';

type Props = { mails: MailsSeen; clinic: number; onDone(): void };

/** Unsent emails, and the delivery of sent ones; recipients are not shown. */
export function Mails({ mails, clinic, onDone }: Props) {
  const { waiting } = mails;
  const remainingCount = mails.due + mails.failed - mails.items.length;
  return (
    <>
      {mails.items.length === 0 && waiting === 0 && <p className="app-quiet">Every email was sent.</p>}
      <ul className="op-rows">
        {mails.items.map(({ id, kind, about, state, tries, at, next_at }) => (
          <li key={id}>
            <span className="op-main">
              <strong>{[mailName(kind), about].filter(Boolean).join(': ')}</strong>
              <span className="op-sub">
                {state === 'failed' ? 'given up' : `next try ${formatSince(next_at)}`}, queued {formatSince(at)},{' '}
                {state === 'failed'
                  ? formatCount(tries, 'try', 'tries')
                  : formatCount(tries, 'failed try', 'failed tries')}
              </span>
            </span>
            <ConfirmedAction
              label="Send again"
              labelSuffix={`the ${mailName(kind)} ${about} of ${formatSince(at)}`.replace('  ', ' ')}
              title="Send this email again?"
              confirmLabel="Send again"
              runAction={() =>
                sendAction('mails/again', readDone, sendJson<SendAgainBody>('POST', { clinic, mail: id }))
              }
              successText={doneMessage}
              onDone={onDone}
            >
              <p>It goes to its original address. A recipient who already has it does not get it twice.</p>
            </ConfirmedAction>
          </li>
        ))}
      </ul>
      {remainingCount > 0 && <p className="op-sub">{formatCount(remainingCount, 'more email')} like these.</p>}
      {waiting > 0 && (
        <p className="op-sub">
          {formatCount(waiting, 'new email')} {waiting === 1 ? 'waits' : 'wait'} for the first try.
        </p>
      )}
      <Deliveries told={mails.told} />
    </>
  );
}

/** The delivery states of sent emails, in the same words as for the clinic's staff. */
function Deliveries({ told }: Pick<MailsSeen, 'told'>) {
  const total = told.reduce((sum, { n }) => sum + n, 0);
  if (total === 0) return null;
  const states = told.map(({ delivery, n }) => `${n} ${describeDelivery(delivery)}`).join(', ');
  return (
    <p className="op-sub">
      {total === 1 ? 'The last sent email' : `Of the last ${formatCount(total, 'sent email')}`}: {states}.
    </p>
  );
}
