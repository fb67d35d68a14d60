import { type ReactNode, useId, useState } from 'react';
import { type FirstHourStep, firstHourSteps, type FirstHour as View } from '#shared/contracts/staff/first-hour';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { Lazy } from '../common/Lazy.tsx';
import { LoadFailure, logFailure, useLoad } from '../common/use-load.tsx';
import { describeStep, fetchFirstHour, saveDecision, sendTestLink, stepTitles } from './first-hour.ts';
import '#site/styles/areas/merchant/account/first-hour.css';

const mailsDialog = lazyScreen(() => import('./MailsDialog.tsx').then((code) => code.MailsDialog));

const POLL_MS = 5000;

/** True while the card provider, the CRM or a test payment may complete a step at any time. */
const isWaiting = ({ steps, test }: View) =>
  steps.some(({ waits_for }) => waits_for === 'provider' || waits_for === 'crm') ||
  (test.sent_at !== null && test.paid === null);

/** The setup checklist of a new clinic. `level` is the heading level. On the dashboard (3), the list can be hidden. */
export function FirstHour({ level }: { level: number }) {
  const id = useId();
  const load = useLoad('first-hour', 'Failed to fetch the first hour', fetchFirstHour);
  const [updated, setUpdated] = useState<View | null>(null);
  const [isHidden, setHidden] = useState(false);
  const [busy, setBusy] = useState<'link' | 'end' | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPreviewOpen, setPreviewOpen] = useState(false);
  const view = updated ?? load.value;
  usePoll(
    async () => {
      const answer = await fetchFirstHour();
      if (answer.ok) setUpdated(answer.value);
      return answer.ok;
    },
    view && !view.is_ended && isWaiting(view) ? POLL_MS : null,
  );

  const applyDecision = async (decision: Parameters<typeof saveDecision>[0]) => {
    setFailure(null);
    const answer = await saveDecision(decision);
    if (answer.ok) setUpdated(answer.value);
    else {
      logFailure('Failed to keep the decision', answer.error);
      setFailure(answer.error.message);
    }
    return answer.ok;
  };
  const setEnded = async (is_ended: boolean) => {
    setBusy('end');
    if (await applyDecision({ is_ended })) setHidden(is_ended);
    setBusy(null);
  };
  const send = async () => {
    setBusy('link');
    setFailure(null);
    const answer = await sendTestLink();
    const reloaded = answer.ok ? await fetchFirstHour() : null;
    setBusy(null);
    if (reloaded?.ok) setUpdated(reloaded.value);
    if (answer.ok) return;
    logFailure('Failed to send the test link', answer.error);
    setFailure(answer.error.message);
  };

  if (view?.is_ended && !isHidden) return null;
  const Heading = level === 2 ? 'h2' : 'h3';
  const doneCount = view?.steps.filter(({ is_done }) => is_done).length ?? 0;
  const areAllDone = view !== null && doneCount === view.steps.length;
  const isReady = (name: FirstHourStep) => view?.steps.find((step) => step.name === name)?.waits_for === 'you';
  const buttons: Partial<Record<FirstHourStep, ReactNode>> = {
    'test-link': view?.is_admin && view.test.invoice && isReady('test-link') && (
      <Button kind={view.test.sent_at ? 'secondary' : 'primary'} busy={busy === 'link'} onClick={() => void send()}>
        {view.test.sent_at ? 'Send it again' : 'Send test link'}
      </Button>
    ),
    // The team can be opened only after the set-up is complete.
    staff: view?.is_admin && level === 3 && (
      <AppLink className="button button-secondary" href="/account/team">
        Invite staff
      </AppLink>
    ),
    mails: <Button onClick={() => setPreviewOpen(true)}>Show mails</Button>,
  };

  return (
    <section className="card first-hour" aria-labelledby={id} aria-busy={!view || undefined}>
      <div className="first-hour-head">
        <Heading id={id}>Your first hour</Heading>
        <p role="status">{isHidden ? '' : view ? `${doneCount} of ${view.steps.length} done` : 'Loading...'}</p>
        {view?.is_admin && !isHidden && level === 3 && (
          <Button
            kind={areAllDone ? 'secondary' : 'ghost'}
            size="sm"
            busy={busy === 'end'}
            onClick={() => void setEnded(true)}
          >
            Hide
          </Button>
        )}
      </div>
      <LoadFailure lead="The steps could not be loaded." load={load} />
      {failure && <LateBanner tone="bad" lead={failure} onDismiss={() => setFailure(null)} />}
      {isHidden ? (
        <p className="first-hour-away">
          This list is hidden for everyone.{' '}
          <button type="button" className="text-button" onClick={() => void setEnded(false)}>
            Show it again
          </button>
        </p>
      ) : (
        <ol className="first-hour-steps">
          {firstHourSteps.map((name) => (
            <Step key={name} name={name} view={view} button={buttons[name]} />
          ))}
        </ol>
      )}
      {isPreviewOpen && (
        <Lazy
          screen={mailsDialog}
          props={{
            onSeen: () => {
              setPreviewOpen(false);
              if (view?.is_admin) void applyDecision({ has_seen_mails: true });
            },
            onCancel: () => setPreviewOpen(false),
          }}
        />
      )}
    </section>
  );
}

function Step({ name, view, button }: { name: FirstHourStep; view: View | null; button: ReactNode }) {
  const step = view?.steps.find((candidate) => candidate.name === name);
  const isDone = step?.is_done === true;
  const isExternal = step?.waits_for === 'provider' || step?.waits_for === 'crm';
  return (
    <li className={isDone ? 'first-hour-step first-hour-done' : 'first-hour-step'}>
      {isDone || isExternal ? (
        <Icon name={isDone ? 'circleCheck' : 'clock'} />
      ) : (
        <span className="first-hour-ring" aria-hidden="true" />
      )}
      <div className="first-hour-words">
        <p className="first-hour-title">
          {stepTitles[name]}
          {isDone && <span className="sr-only">: done</span>}
        </p>
        <p className="first-hour-detail">{step && view ? describeStep(step, view) : ' '}</p>
      </div>
      {step && !isDone && button}
    </li>
  );
}
