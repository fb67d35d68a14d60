import { useEffect, useState } from 'react';
import { listHeaders } from '#shared/contracts/lists/list-values';
import { AppLink } from '../ui/routing/router.tsx';
import { call } from './api.ts';

const cards = [
  {
    name: 'Posts',
    path: '/cms/posts',
    api: '/api/cms/posts?size=1&view=rows',
    to: '/cms/posts/new',
    action: 'New post',
  },
  {
    name: 'Pages',
    path: '/cms/pages',
    api: '/api/cms/pages?size=1&view=rows',
    to: '/cms/pages/new',
    action: 'New page',
  },
  { name: 'Media', path: '/cms/media', api: '/api/cms/media?size=1', to: '/cms/media', action: 'Upload files' },
] as const;

const counted = new Intl.NumberFormat('en-US');

/** Counts of posts, pages and media, with links to add more. */
export function Dashboard() {
  return (
    <div className="cms-stack">
      <h1 tabIndex={-1}>Dashboard</h1>
      <div className="cms-cards">
        {cards.map(({ name, path, api, to, action }) => (
          <section className="card cms-card" key={name} aria-labelledby={`card-${name}`}>
            <h2 id={`card-${name}`}>
              <AppLink href={path}>{name}</AppLink>
            </h2>
            <Count of={api} />
            <AppLink className="button button-secondary" href={to}>
              {action}
            </AppLink>
          </section>
        ))}
      </div>
    </div>
  );
}

function Count({ of }: { of: string }) {
  const [text, setText] = useState(' ');
  useEffect(() => {
    const read = (_body: unknown, headers: Headers) => headers.get(listHeaders.total);
    void call(of, read).then((answer) => setText(answer.ok ? counted.format(Number(answer.value)) : '–'));
  }, [of]);
  return <p className="cms-count">{text}</p>;
}
