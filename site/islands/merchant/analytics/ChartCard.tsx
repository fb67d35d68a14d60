import { type ReactNode, useId } from 'react';

type Props = {
  title: string;
  /** The main figure or the legend, which is shown beside the title. */
  figure: ReactNode;
  className: string;
  /** The values of the chart as rows. */
  table: { headers: string[]; rows: string[][] };
  children: ReactNode;
};

/** A chart, its main figure, and a table with the same values. */
export function ChartCard({ title, figure, className, table, children }: Props) {
  const id = useId();
  return (
    <section className={`card chart ${className}`} aria-labelledby={id}>
      <header className="chart-head">
        <h3 id={id}>{title}</h3>
        <div className="chart-figure">{figure}</div>
      </header>
      <div className="chart-plot">{children}</div>
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
