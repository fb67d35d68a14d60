import '#site/styles/parts/feedback/status-steps.css';

export type Stop = {
  name: string;
  /** `back` means that money was returned. `failed`, `ended` (without success) and `unknown` are final. */
  state: 'done' | 'now' | 'ahead' | 'back' | 'failed' | 'ended' | 'unknown';
  time?: string | undefined;
  detail?: string | undefined;
};

/** The steps of a process, with a mark on the current one. `done` is the word for a completed step. */
export function StatusSteps({ label, stops, done = 'done' }: { label: string; stops: Stop[]; done?: string }) {
  return (
    <ol className="line" aria-label={label}>
      {stops.map(({ name, state, time, detail }) => (
        <li key={`${name}${time}`} className={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span className="line-name">{name}</span>
          {state === 'done' && <span className="sr-only">: {done}</span>}
          {time && <span className="line-time">{time}</span>}
          {detail && (
            <span className="line-time line-detail" title={detail}>
              {detail}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
