import type { ReactNode } from 'react';
import '#site/styles/parts/table/rows.css';

export function DetailRows({ rows }: { rows: [label: string, value: ReactNode][] }) {
  return (
    <dl className="rows">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
