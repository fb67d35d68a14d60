import { type ReactNode, useId } from 'react';

/** Before the first figures, while newer ones load, after a failure, or up to date. */
export type ChartState = 'initial' | 'loading' | 'failed' | 'shown';

type Props = {
  title: string;
  /** The main figure or the legend, which is shown beside the title. */
  figure: ReactNode;
  className: string;
  /** The values of the chart as rows. */
  table: { headers: string[]; rows: string[][] };
  state: ChartState;
  /** True if there is nothing to plot. */
  isEmpty: boolean;
  children: ReactNode;
};

/** A chart, its main figure, and a table with the same values. */
export function ChartCard({ title, figure, className, table, state, isEmpty, children }: Props) {
  const id = useId();
  return (
    <section className={`card chart ${className}`} aria-labelledby={id}>
      <header className="chart-head">
        <h3 id={id}>{title}</h3>
        <div className="chart-figure">{figure}</div>
      </header>
      <div className="chart-plot">
        {state === 'initial' ? <div className="chart-wait" /> : children}
        {state !== 'initial' && isEmpty && (
          <p className="chart-none">
            <span>{state === 'failed' ? 'Not loaded.' : 'No payments in this period.'}</span>
          </p>
        )}
      </div>
      <details className="chart-table">
        <summary>
          Show as table<span className="sr-only">: {title}</span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
        <section className="chart-rows" tabIndex={0} aria-label={`${title}, as a table`}>
          <table>
            <thead>
              <tr>
                {table.headers.map((header) => (
                  <th key={header} scope="col">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map(([name, ...values]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {values.map((value, index) => (
                    <td key={table.headers[index + 1]}>{value}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  );
}
