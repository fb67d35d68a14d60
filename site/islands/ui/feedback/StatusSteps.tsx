import '../../../styles/parts/feedback/status-steps.css';

export type Stop = {
  name: string;
  /** The last three are ends of another kind: in vain, by itself or by somebody, or not known. */
  state: 'done' | 'now' | 'ahead' | 'failed' | 'ended' | 'unknown';
  time?: string | undefined;
};

/** A real sequence and where it stands. */
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
