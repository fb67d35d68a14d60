import { useId, useRef, useState } from 'react';
import { operator } from '#shared/operator';
import { useDismiss } from '#site/islands/ui/feedback/use-dismiss.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { type View, views } from './views.ts';

/** The dashboard's views; on a small screen, behind a button that names the current one. */
export function Sidebar({ current }: { current: View | null }) {
  const id = useId();
  const here = views.find(({ path }) => path === (current?.under ?? current?.path));
  const [isOpen, setOpen] = useState(false);
  const part = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useDismiss(part, isOpen, (by) => {
    setOpen(false);
    if (by === 'escape') button.current?.focus();
  });
  return (
    <nav className="side" aria-label="Dashboard" ref={part}>
      <p className="side-title">{operator.name}</p>
      <button
        type="button"
        className="button button-secondary side-button"
        ref={button}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {here?.entry ?? 'Views'}
        <Icon name="chevronDown" size="sm" />
      </button>
      <ul id={id} className={isOpen ? 'side-links side-links-open' : 'side-links'}>
        {views.map(
          ({ entry, path }) =>
            entry && (
              <li key={path}>
                <AppLink href={path} isHere={path === here?.path} onClick={() => setOpen(false)}>
                  {entry}
                </AppLink>
              </li>
            ),
        )}
      </ul>
    </nav>
  );
}
