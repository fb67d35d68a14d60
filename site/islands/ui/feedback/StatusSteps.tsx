import '../../../styles/parts/feedback/status-steps.css';

export type Stop = {
  name: string;
  /** The last three are final: failed, ended without success, or unknown. */
  state: 'done' | 'now' | 'ahead' | 'failed' | 'ended' | 'unknown';
  time?: string | undefined;
};

/** The steps of a process and its current one. */
export function StatusSteps({ label, stops }: { label: string; stops: Stop[] }) {
  return (
    <ol className="line" aria-label={label}>
      {stops.map(({ name, state, time }) => (
        <li key={name} className={state} aria-current={state === 'now' ? 'step' : undefined}>
          {name}
          {state === 'done' && <span className="sr-only">: done</span>}
          {time && <span className="line-time">{time}</span>}
        </li>
      ))}
    </ol>
  );
}
