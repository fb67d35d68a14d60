import { useState } from 'react';
import type { AuditView } from '#shared/contracts/staff/audit';
import { Badge } from '../Badge.tsx';
import { Banner } from '../feedback/Banner.tsx';
import { Button } from '../form/Button.tsx';
import { formatMoment, formatSince } from '../format-moment.ts';
import { Icon } from '../Icon.tsx';
import type { TrailCalls } from './trail.ts';

type Props = { view: AuditView; calls: TrailCalls };

/** The last verified event and its time, or the mismatch that was found, with advice. */
export function TrailVerified({ view, advice }: { view: AuditView; advice: string }) {
  const { head, verified, unsealed } = view;
  if (verified?.problem)
    return (
      <Banner tone="bad" lead="The trail does not match its seals.">
        {verified.problem} {advice}
      </Banner>
    );
  const verifiedTime = verified ? formatSince(verified.at) : '';
  return (
    <p className="trail-verified">
      {verified ? (
        <Badge tone="ok" icon="circleCheck">
          Verified to event {verified.seq} {verifiedTime.includes(',') ? 'on' : 'at'} {verifiedTime}
        </Badge>
      ) : (
        <Badge icon="clock">{head ? 'Not verified yet' : 'Nothing is sealed yet'}</Badge>
      )}
      {unsealed > 0 && (
        <span className="app-quiet">
          {unsealed === 1 ? 'The newest event is' : `The newest ${unsealed} events are`} sealed within minutes.
        </span>
      )}
    </p>
  );
}

/** Shows the newest seal, which users can save outside the product. */
export function TrailSeal({ view, calls }: Props) {
  const { head } = view;
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    setFailure(await calls.saveHead());
    setBusy(false);
  };
  return (
    <section className="card trail-seal" aria-labelledby="trail-seal-title">
      <h2 id="trail-seal-title">Newest seal</h2>
      <p className="trail-hash">
        {head ? (
          <>
            Event {head.seq}, sealed {formatMoment(head.at)}: <code>{head.hash}</code>
          </>
        ) : (
          'There is none yet.'
        )}
      </p>
      <p className="app-quiet">
        The operator of this installation could rewrite both events and seals. A seal that you keep elsewhere would show
        it.
      </p>
      {failure && (
        <Banner tone="warn" role="alert" lead="The seal could not be saved.">
          {failure}
        </Banner>
      )}
      <div className="trail-keep">
        <Button busy={isBusy} onClick={() => void save()}>
          <Icon name="download" size="sm" />
          Save newest seal
        </Button>
        {view.weekly_mail !== null && <WeeklyMail isOn={view.weekly_mail} calls={calls} />}
      </div>
    </section>
  );
}

function WeeklyMail({ isOn: wasOn, calls }: { isOn: boolean; calls: TrailCalls }) {
  const [isOn, setOn] = useState(wasOn);
  const [status, setStatus] = useState('');
  const change = async (weekly: boolean) => {
    setOn(weekly);
    setStatus('');
    const answer = await calls.setMail(weekly);
    if (!answer.ok) setOn(!weekly);
    setStatus(
      answer.ok ? (weekly ? 'The first email comes in a week.' : 'No more emails are sent.') : answer.error.message,
    );
  };
  return (
    <div className="choices trail-mail">
      <label>
        <input type="checkbox" checked={isOn} onChange={({ target }) => void change(target.checked)} />
        Email it to me once a week
      </label>
      <p role="status" className="app-quiet">
        {status}
      </p>
    </div>
  );
}
