import { useEffect, useRef } from 'react';
import { Runbook, type RunbookBlock } from '#shared/contracts/operators/operator';
import { readWith } from '../ui/api/parse-response.ts';
import { AppLink, useSearch } from '../ui/routing/router.tsx';
import { usePolledView } from './api.ts';
import { Screen } from './Screen.tsx';
import { FormattedText } from './Steps.tsx';
import '#site/styles/areas/operator/guide.css';

const readRunbook = readWith(Runbook);

/** The runbook: the section of the alert in the address, or a list of all alerts. */
export function RunbookScreen() {
  const event = new URLSearchParams(useSearch()).get('event') ?? '';
  const view = usePolledView('runbook', readRunbook, null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isLoaded = view.data !== null;
  useEffect(() => {
    if (event && isLoaded) heading.current?.focus();
  }, [event, isLoaded]);
  return (
    <Screen
      title="Runbook"
      view={view}
      lead={
        event && (
          <p>
            <AppLink href="/operator/runbook">All alerts</AppLink>
          </p>
        )
      }
    >
      {({ intro, sections }) => {
        const section = sections.find((candidate) => candidate.event === event);
        if (event && !section) return <p>The runbook has no section “{event}”.</p>;
        return section ? (
          <section className="card op-runbook" aria-labelledby="event">
            <h2 id="event" tabIndex={-1} ref={heading}>
              {section.says}
            </h2>
            <p className="op-sub">
              {section.event}, {section.severity === 'now' ? 'sent at once' : 'sent once a day'}
            </p>
            <Blocks blocks={section.blocks} />
          </section>
        ) : (
          <>
            <section className="card op-runbook" aria-label="Before you begin">
              <Blocks blocks={intro} />
            </section>
            <section className="op-part" aria-label="Alerts">
              <h2>Alerts</h2>
              <div className="card">
                <ul className="op-rows">
                  {sections.map(({ event: name, says }) => (
                    <li key={name}>
                      <span className="op-main">
                        <AppLink href={`/operator/runbook?event=${name}`}>{says}</AppLink>
                        <span className="op-sub">{name}</span>
                      </span>
                    </li>
                  ))}
                </ul>
              </div>
            </section>
          </>
        );
      }}
    </Screen>
  );
}

const Blocks = ({ blocks }: { blocks: RunbookBlock[] }) =>
  blocks.map((block) => <Block key={block.rows.join()} block={block} />);

function Block({ block: { kind, rows } }: { block: RunbookBlock }) {
  if (kind === 'list') {
    return (
      <ul>
        {rows.map(([item = '']) => (
          <li key={item}>
            <FormattedText text={item} />
          </li>
        ))}
      </ul>
    );
  }
  if (kind === 'text') {
    return (
      <p>
        <FormattedText text={rows[0]?.[0] ?? ''} />
      </p>
    );
  }
  const [header = [], ...body] = rows;
  return (
    <table>
      <thead>
        <tr>
          {header.map((cell) => (
            <th key={cell} scope="col">
              <FormattedText text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row) => (
          <tr key={row.join()}>
            {row.map((cell) => (
              <td key={cell}>
                <FormattedText text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
