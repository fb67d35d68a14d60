import { OperatorBuilds } from '#shared/contracts/operators/operator';
import { readWith } from '../ui/api/parse-response.ts';
import { Badge } from '../ui/Badge.tsx';
import { ConfirmedAction } from '../ui/feedback/ConfirmedAction.tsx';
import { formatSince } from '../ui/format-moment.ts';
import { doneMessage, readDone, sendAction, usePolledView } from './api.ts';
import { Screen } from './Screen.tsx';
import { siteStates } from './words.ts';

const readBuilds = readWith(OperatorBuilds);
const REFRESH_MS = 30_000;

type BadgeProps = { tone: 'plain' | 'ok' | 'note' | 'bad'; icon: 'check' | 'clock' | 'x' | 'info'; text: string };
const STATES: Record<string, BadgeProps> = {
  asked: { tone: 'note', icon: 'clock', text: 'Requested' },
  building: { tone: 'note', icon: 'clock', text: 'Building' },
  built: { tone: 'ok', icon: 'check', text: 'Built' },
  failed: { tone: 'bad', icon: 'x', text: 'Failed' },
};

/** The state of the public site, its builds, and the button that starts one. */
export function BuildList() {
  const view = usePolledView('builds', readBuilds, REFRESH_MS);
  return (
    <Screen title="Builds of the site" view={view}>
      {({ state, since, reason, builds }) => (
        <>
          <div className="card op-payments">
            <p>
              <strong>{siteStates[state] ?? state}</strong> since {formatSince(since)}
              {reason && `: ${reason}`}
            </p>
            <ConfirmedAction
              label="Start a build"
              title="Build the public site now?"
              confirmLabel="Start"
              runAction={() => sendAction('builds', readDone, { method: 'POST' })}
              successText={doneMessage}
              onDone={() => void view.refresh()}
            >
              <p>It shows everything published so far. One build runs at a time, at most one a minute.</p>
            </ConfirmedAction>
          </div>
          <section className="op-part" aria-label="Builds">
            <h2>Newest builds</h2>
            <div className="card">
              {builds.length === 0 && <p className="app-quiet">No build has been requested yet.</p>}
              <ul className="op-rows">
                {builds.map((build) => {
                  const { tone, icon, text } = STATES[build.state] ?? {
                    tone: 'plain',
                    icon: 'info',
                    text: build.state,
                  };
                  const isBuilding = build.state === 'building';
                  return (
                    <li key={build.id}>
                      <span className="op-main">
                        Revision {build.revision}, requested {formatSince(build.requested_at)}
                        <span className="op-sub">
                          {isBuilding ? `${build.progress}%, ${build.step || 'starting'}` : build.reason}
                        </span>
                      </span>
                      <Badge tone={tone} icon={icon}>
                        {text}
                      </Badge>
                      <span className="op-when">{formatSince(build.reported_at)}</span>
                    </li>
                  );
                })}
              </ul>
            </div>
          </section>
        </>
      )}
    </Screen>
  );
}
