import { readAppView } from '../common/app-view.ts';
import { SupportContacts } from '../onboarding/Support.tsx';
import { HelpQuestions } from './HelpQuestions.tsx';
import { topicAt } from './help-questions.ts';
import '#site/styles/areas/merchant/account/help.css';
import { useEffect, useState } from 'react';
import type { Health } from '#shared/contracts/operators/health';
import { SupportViewReply } from '#shared/contracts/staff/account-settings';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import { api } from '../api/api.ts';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { areLetterKeysOn, setLetterKeys, shortcuts } from './keys.ts';

/** Returns the first 7 characters of the source commit, or of the Worker's version if the commit is unknown. */
const buildOf = (body: unknown): string => {
  const { commit, version } = (body ?? {}) as Partial<Health>;
  return (commit || version || '').slice(0, 7);
};

/** Returns the abbreviated build that the server runs, or '' while it loads or if it is unknown. */
export function useBuild(): string {
  const [build, setBuild] = useState('');
  useEffect(() => {
    void api.call('/api/health', buildOf).then((answer) => answer.ok && setBuild(answer.value));
  }, []);
  return build;
}

type CodeState = { kind: 'none' | 'busy' } | { kind: 'ready'; code: string } | { kind: 'failed'; message: string };

/** Shows a code for the page and its version, and makes one with which support finds the clinic in the log. */
export function HelpCode({ page }: { page: string }) {
  const build = useBuild();
  const [state, setState] = useState<CodeState>({ kind: 'none' });
  const createCode = async () => {
    setState({ kind: 'busy' });
    // The code is the request id of this call, whose log line identifies the clinic.
    const answer = await api.call('/api/token/get-merchant', (_, headers) => headers.get('x-request-id'));
    setState(
      answer.ok ? { kind: 'ready', code: answer.value.slice(0, 8) } : { kind: 'failed', message: answer.error.message },
    );
  };
  return (
    <div className="help-code">
      <p>
        Tell support the code <code>{build ? `${page}-${build}` : page}</code>, which names this page and its version.
        It contains no customer data. An error message ends with its own code, in brackets.
      </p>
      <p>If you have a question without an error, make a code so that support can see which clinic is asking.</p>
      <div className="actions">
        <Button busy={state.kind === 'busy'} onClick={() => void createCode()}>
          Make a code
        </Button>
        <p role="status">
          {state.kind === 'ready' && (
            <>
              Your code is <code>{state.code}</code>.
            </>
          )}
          {state.kind === 'failed' && state.message}
        </p>
      </div>
    </div>
  );
}

/** The list of keyboard shortcuts, with a switch for those of a single letter. */
export function KeyboardShortcuts({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const [areLettersOn, setLettersOn] = useState(areLetterKeysOn);
  return (
    <section className="card" aria-labelledby="help-keys">
      <Heading id="help-keys">Keys</Heading>
      <dl className="help-keys">
        {shortcuts.map(({ keys, action }) => (
          <div key={action}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <label className="help-switch">
        <input
          type="checkbox"
          checked={areLettersOn}
          onChange={({ target }) => {
            setLetterKeys(target.checked);
            setLettersOn(target.checked);
          }}
        />
        Single letters also work, except in fields
      </label>
    </section>
  );
}

const readView = readWith(SupportViewReply);
const callSupportView = (method = 'GET') => api.call('/api/support-view', readView, { method });

/** Lets an administrator grant the operator an hour of access to the clinic, or end it early. */
export function SupportView({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const load = useLoad('support-view', 'Failed to fetch the support access', callSupportView);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const view = load.value;
  const change = async (method: 'POST' | 'DELETE') => {
    setBusy(true);
    const answer = await callSupportView(method);
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.message);
    setFailure(null);
    // The page must reload, since the server renders the notice about support access.
    window.location.reload();
  };
  if (view?.is_support) return null;
  return (
    <section className="card" aria-labelledby="support-view">
      <Heading id="support-view">Support access</Heading>
      <p>
        If you allow it, support sees this account as you do for an hour, and can change nothing. The audit trail shows
        it to both of you.
      </p>
      <LoadFailure lead="This could not be loaded." load={load} />
      {failure && <LateBanner tone="bad" lead={failure} onDismiss={() => setFailure(null)} />}
      {view?.ends_at && <p role="status">Support has access until {formatTime(new Date(view.ends_at))}.</p>}
      {view?.may_change &&
        (view.ends_at ? (
          <Button kind="bad" busy={isBusy} onClick={() => void change('DELETE')}>
            End access now
          </Button>
        ) : (
          <Button busy={isBusy} onClick={() => void change('POST')}>
            Allow access for an hour
          </Button>
        ))}
      {view && !view.may_change && (
        <p className="app-quiet">An administrator of this account can allow this and end it.</p>
      )}
    </section>
  );
}

/** The help for the screen at `path`: answers, keyboard shortcuts and support contacts. */
export function HelpParts({ path, heading: Heading }: { path: string; heading: 'h2' | 'h3' }) {
  const topic = topicAt(path);
  return (
    <>
      <HelpQuestions topic={topic} heading={Heading} />
      <KeyboardShortcuts heading={Heading} />
      <section className="card contact" aria-label="Support">
        <SupportContacts support={readAppView().support} />
        <HelpCode page={topic.code} />
      </section>
      <SupportView heading={Heading} />
    </>
  );
}
