import '../../styles/parts/line.css';

export type Stop = { name: string; state: 'done' | 'now' | 'ahead'; time?: string | undefined };

/** A real sequence and where it stands. */
export function TheLine({ label, stops }: { label: string; stops: Stop[] }) {
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
