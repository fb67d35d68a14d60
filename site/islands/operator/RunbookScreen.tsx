import { useEffect, useRef } from 'react';
import { Runbook, type RunbookBlock } from '#shared/contracts/operators/operator';
import { readWith } from '../ui/api/parse-response.ts';
import { AppLink, useSearch } from '../ui/routing/router.tsx';
import { usePolledView } from './api.ts';
import { Screen } from './Screen.tsx';
import { Marked } from './Steps.tsx';
import '#site/styles/areas/operator/guide.css';

const readRunbook = readWith(Runbook);

/** The runbook. The address names the alert whose section is shown; without it, all are listed. */
export function RunbookScreen() {
  const event = new URLSearchParams(useSearch()).get('event') ?? '';
  const look = usePolledView('runbook', readRunbook, null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isThere = look.seen !== null;
  useEffect(() => {
    if (event && isThere) heading.current?.focus();
  }, [event, isThere]);
  return (
    <Screen
      title="Runbook"
      look={look}
      lead={
        event && (
          <p>
            <AppLink href="/operator/runbook">All alerts</AppLink>
          </p>
        )
      }
    >
      {({ intro, sections }) => {
        const section = sections.find((one) => one.event === event);
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
            <Marked text={item} />
          </li>
        ))}
      </ul>
    );
  }
  if (kind === 'text') {
    return (
      <p>
        <Marked text={rows[0]?.[0] ?? ''} />
      </p>
    );
  }
  const [head = [], ...body] = rows;
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell) => (
            <th key={cell} scope="col">
              <Marked text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row) => (
          <tr key={row.join()}>
            {row.map((cell) => (
              <td key={cell}>
                <Marked text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
