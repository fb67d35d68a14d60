import { useState } from 'react';
import { ErrorBoundary } from '#site/islands/ui/Boundary.tsx';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { ScreenLoadError } from '#site/islands/ui/feedback/ScreenError.tsx';
import { StatusSteps } from '#site/islands/ui/feedback/StatusSteps.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { UndoBar } from '#site/islands/ui/feedback/UndoBar.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { RemovePasskey } from '#site/islands/ui/passkey/RemovePasskey.tsx';
import { LONG, Sample, Samples } from './Samples.tsx';

const ignore = () => undefined;
const ACTION = {
  label: 'Remove',
  title: 'Remove it?',
  confirmLabel: 'Remove',
  successText: 'It was removed.',
  onDone: ignore,
};
const REFUSAL = { status: 503, code: 'not-now', message: 'It could not be removed. Please try again.', fields: [] };

export function FeedbackSamples() {
  return (
    <Samples title="Feedback">
      <Sample title="Banner in four tones, with actions, with a long text">
        {(['ok', 'note', 'warn', 'bad'] as const).map((tone) => (
          <Banner key={tone} tone={tone} lead={`This is ${tone}.`} onDismiss={ignore}>
            What can be done about it.
          </Banner>
        ))}
        <Banner tone="bad" lead={LONG} actions={<Button size="sm">Try again</Button>}>
          {LONG}
        </Banner>
      </Sample>
      <Sample title="Late banner, over the bottom of the window">
        <LateBanner tone="ok" lead="It came late." />
      </Sample>
      <Sample title="Dialog: asking, busy, destroying but failed">
        <div className="parts-row">
          <DialogSample name="Ask" />
          <DialogSample name="Busy" busy />
          <DialogSample name="Fail" isDestructive failure="The gateway could not be reached. Please try again." />
        </div>
      </Sample>
      <Sample title="Act: one of a row, apart, refused, for a passkey">
        <div className="parts-row">
          <ConfirmedAction {...ACTION} labelSuffix="this one" runAction={async () => ({ ok: true, value: 1 })}>
            <p>It can be taken back.</p>
          </ConfirmedAction>
          <ConfirmedAction
            {...ACTION}
            label="Remove apart"
            isFullSize
            isDestructive
            runAction={async () => ({ ok: true, value: 1 })}
          >
            <p>{LONG}</p>
          </ConfirmedAction>
          <ConfirmedAction {...ACTION} label="Remove, refused" runAction={async () => ({ ok: false, error: REFUSAL })}>
            <p>It can be taken back.</p>
          </ConfirmedAction>
          <RemovePasskey label="MacBook" run={async () => ({ ok: true, value: 1 })} onDone={() => undefined} />
        </div>
      </Sample>
      <Sample title="Disclosure: usual, set, small, a menu at the end of its button">
        <div className="parts-row">
          <Disclosure label="Due date">{() => <p>Any content.</p>}</Disclosure>
          <Disclosure label="Overdue" labelPrefix="Status" isSet>
            {() => <p>{LONG}</p>}
          </Disclosure>
          <Disclosure label="Small" size="sm">
            {() => <p>Any content.</p>}
          </Disclosure>
          <Disclosure label="Menu" isMenu align="end">
            {(close) =>
              ['Copy link', 'Revoke link'].map((name) => (
                <button key={name} type="button" onClick={close}>
                  {name}
                </button>
              ))
            }
          </Disclosure>
        </div>
      </Sample>
      <Sample title="Status steps: under way, and each way to end">
        <StatusSteps
          label="A sale under way"
          stops={[
            { name: 'Sent to the reader', state: 'done', time: '10:41 AM' },
            { name: 'Waiting for the card', state: 'now' },
            { name: 'Approved', state: 'ahead' },
          ]}
        />
        {(['failed', 'ended', 'unknown'] as const).map((state) => (
          <StatusSteps
            key={state}
            label={`A sale that ended as ${state}`}
            stops={[
              { name: 'Sent to the reader', state: 'done', time: '10:41 AM' },
              { name: LONG, state, time: '10:42 AM' },
            ]}
          />
        ))}
      </Sample>
      <Sample title="Undo: for a while, and too late">
        <UndoSample />
      </Sample>
      <Sample title="Toast, short and long">
        <div className="parts-row">
          <Button onClick={() => toast('Link copied')}>Say something short</Button>
          <Button onClick={() => toast(LONG)}>Say something long</Button>
        </div>
      </Sample>
      {/* Last, since its heading is that of a full page. */}
      <Sample title="Screen error, with a retry">
        <ErrorBoundary error={null}>
          <ScreenLoadError startPath="/" />
        </ErrorBoundary>
      </Sample>
    </Samples>
  );
}

function UndoSample() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Do something that can be undone</Button>
      {isOpen && (
        <UndoBar durationMs={60_000} onUndo={async () => 'It is too late.'} onExpire={() => setOpen(false)}>
          Something will be done
        </UndoBar>
      )}
    </>
  );
}

type DialogProps = { name: string; isDestructive?: boolean; busy?: boolean; failure?: string };

/** A dialog in one state; a busy one closes on a second confirmation. */
function DialogSample({ name, isDestructive = false, busy = false, failure }: DialogProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{name}</Button>
      {isOpen && (
        <Dialog
          title={`${name}?`}
          confirmLabel={name}
          isDestructive={isDestructive}
          busy={busy}
          failure={failure ?? null}
          onConfirm={close}
          onCancel={close}
        >
          <p>{LONG}</p>
        </Dialog>
      )}
    </>
  );
}
