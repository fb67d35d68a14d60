import { useEffect, useId, useRef } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { type Part, partsOf, type Run } from './differences.ts';
import '#site/styles/parts/feedback/dialog.css';
import '#site/styles/areas/cms/compare.css';

export type Text = { title: string; content: string };
type Side = { name: string; text: Text };
type Props = { title: string; left: Side; right: Side; onClose(): void };

/** Two texts side by side, by paragraph; what only one side has is marked, for screen readers too. */
export function CompareDialog({ title, left, right, onClose }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const [leftParts, rightParts] = partsOf(paragraphs(left.text), paragraphs(right.text));
  return (
    <dialog className="dialog compare" ref={dialog} aria-labelledby={id} onCancel={onClose}>
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button size="sm" onClick={onClose}>
          Close
        </Button>
      </div>
      <div className="compare-columns">
        <Column name={left.name} parts={leftParts} />
        <Column name={right.name} parts={rightParts} />
      </div>
    </dialog>
  );
}

const Column = ({ name, parts }: { name: string; parts: Part[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, with the keyboard too
  <section className="compare-column" aria-label={name} tabIndex={0}>
    <h3>{name}</h3>
    {parts.map((runs, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs repeat, and do not move while this is open
      <p key={index}>
        {runs.map((run, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as with paragraphs
          <Words key={at} run={run} isFirst={at === 0} />
        ))}
      </p>
    ))}
  </section>
);

/** The marks' ends are read out where more of the paragraph follows. */
const Words = ({ run: { text, isOnly }, isFirst }: { run: Run; isFirst: boolean }) => (
  <>
    {!isFirst && ' '}
    {isOnly ? (
      <>
        <span className="sr-only">Only here: </span>
        <mark>{text}</mark>
        <span className="sr-only">.</span>
      </>
    ) : (
      <span>{text}</span>
    )}
  </>
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
