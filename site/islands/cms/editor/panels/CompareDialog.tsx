import { useEffect, useId, useRef } from 'react';
import { Button } from '../../../ui/form/Button.tsx';
import { type Part, partsOf } from './differences.ts';
import '../../../../styles/parts/feedback/dialog.css';
import '../../../../styles/areas/cms/compare.css';

type Text = { title: string; content: string };

/** Two texts side by side, by paragraph; a paragraph of only one side is marked, for screen readers too. */
export function CompareDialog({ mine, theirs, onClose }: { mine: Text; theirs: Text; onClose(): void }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const [left, right] = partsOf(paragraphs(mine), paragraphs(theirs));
  return (
    <dialog className="dialog compare" ref={dialog} aria-labelledby={id} onCancel={onClose}>
      <div className="dialog-head">
        <h2 id={id}>Your text and theirs</h2>
        <Button size="sm" onClick={onClose}>
          Close
        </Button>
      </div>
      <div className="compare-columns">
        <Column name="Yours" parts={left} />
        <Column name="Theirs" parts={right} />
      </div>
    </dialog>
  );
}

const Column = ({ name, parts }: { name: string; parts: Part[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, with the keyboard too
  <section className="compare-column" aria-label={name} tabIndex={0}>
    <h3>{name}</h3>
    {parts.map(({ text, isOnly }, index) => {
      const Mark = isOnly ? 'mark' : 'span';
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs repeat, and do not move while this is open
        <p key={index}>
          {isOnly && <span className="sr-only">Only here: </span>}
          <Mark>{text}</Mark>
        </p>
      );
    })}
  </section>
);

/** The title and the text's blocks as plain text. */
function paragraphs({ title, content }: Text): string[] {
  const { body } = new DOMParser().parseFromString(content, 'text/html');
  const blocks = [...body.querySelectorAll('p, h1, h2, h3, h4, h5, h6, pre, img, th, td')]
    .filter((block) => block.tagName === 'IMG' || !block.querySelector('p'))
    .map((block) =>
      block.tagName === 'IMG' ? `Picture: ${block.getAttribute('alt') || 'no description'}` : text(block),
    );
  return [title, ...blocks.filter(Boolean)];
}

const text = (block: Element): string => block.textContent?.replace(/\s+/g, ' ').trim() ?? '';
