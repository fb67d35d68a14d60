import { useEffect, useId, useRef } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import '#site/styles/parts/feedback/dialog.css';
import '#site/styles/areas/cms/compare.css';
import { diffArrays } from 'diff';

/** Consecutive words; `isUnique`: they are missing from the other text. */
export type TextRun = { text: string; isUnique: boolean };
/** A paragraph; its runs are joined with spaces. */
export type ComparedParagraph = TextRun[];

/** Above this many paragraphs, their order is ignored. */
const MAX_PARAGRAPHS = 1500;
/** Above this many changed words, a paragraph counts as replaced. */
const MAX_CHANGED_WORDS = 400;
/** A paragraph that keeps less than this share of its words also counts as replaced. */
const MIN_SHARED = 0.3;

/**
 * Compares two texts by their longest common sequence of paragraphs. In changed paragraphs, whole words that only one
 * text has are marked.
 */
export function compareTexts(
  left: readonly string[],
  right: readonly string[],
): [ComparedParagraph[], ComparedParagraph[]] {
  if (left.length > MAX_PARAGRAPHS || right.length > MAX_PARAGRAPHS)
    return [compareUnordered(left, right), compareUnordered(right, left)];
  const parts: [ComparedParagraph[], ComparedParagraph[]] = [[], []];
  let removed: string[] = [];
  // The diff reports a change as a removal followed by an addition.
  for (const { value, removed: isRemoved, added } of diffArrays([...left], [...right])) {
    if (isRemoved) removed = value;
    else if (added) {
      addChanged(parts, removed, value);
      removed = [];
    } else {
      addChanged(parts, removed, []);
      removed = [];
      for (const side of parts) side.push(...value.map((text) => wholeParagraph(text, false)));
    }
  }
  addChanged(parts, removed, []);
  return parts;
}

const wholeParagraph = (text: string, isUnique: boolean): ComparedParagraph => [{ text, isUnique }];

function addChanged(
  [left, right]: [ComparedParagraph[], ComparedParagraph[]],
  removed: string[],
  added: string[],
): void {
  for (let index = 0; index < Math.max(removed.length, added.length); index++) {
    const [removedText, addedText] = [removed[index], added[index]];
    const [mine, theirs] =
      removedText === undefined || addedText === undefined
        ? [
            removedText === undefined ? null : wholeParagraph(removedText, true),
            addedText === undefined ? null : wholeParagraph(addedText, true),
          ]
        : compareWords(removedText, addedText);
    if (mine) left.push(mine);
    if (theirs) right.push(theirs);
  }
}

/** Compares two paragraphs. Splits only at spaces: hyphens and apostrophes are part of a word. */
function compareWords(left: string, right: string): [ComparedParagraph, ComparedParagraph] {
  const [mine, theirs] = [left.split(' '), right.split(' ')];
  const changes = diffArrays(mine, theirs, { maxEditLength: MAX_CHANGED_WORDS });
  const sharedCount =
    changes?.reduce((sum, { added, removed, count }) => (added || removed ? sum : sum + count), 0) ?? 0;
  if (!changes || sharedCount < MIN_SHARED * Math.max(mine.length, theirs.length))
    return [wholeParagraph(left, true), wholeParagraph(right, true)];
  const runs = (markedKind: 'removed' | 'added', omittedKind: 'removed' | 'added'): ComparedParagraph =>
    changes
      .filter((change) => !change[omittedKind])
      .map(({ value, [markedKind]: isUnique }) => ({ text: value.join(' '), isUnique }));
  return [runs('removed', 'added'), runs('added', 'removed')];
}

function compareUnordered(texts: readonly string[], others: readonly string[]): ComparedParagraph[] {
  const otherTexts = new Set(others);
  return texts.map((text) => wholeParagraph(text, !otherTexts.has(text)));
}

export type Text = { title: string; content: string };
type Side = { name: string; text: Text };
type Props = {
  title: string;
  left: Side;
  right: Side;
  onClose(): void;
  /** Offered for an earlier version: makes the left text the newest version. */
  onRestore?(): void;
};

/** Shows two texts side by side and marks the differences, for screen readers too. */
export function CompareDialog({ title, left, right, onClose, onRestore }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const [leftParts, rightParts] = compareTexts(paragraphs(left.text), paragraphs(right.text));
  return (
    <dialog className="dialog compare" ref={dialog} aria-labelledby={id} onCancel={onClose}>
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <div className="compare-acts">
          {onRestore && (
            <Button size="sm" kind="primary" onClick={onRestore}>
              Restore
            </Button>
          )}
          <Button size="sm" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
      <div className="compare-columns">
        <Column name={left.name} parts={leftParts} />
        <Column name={right.name} parts={rightParts} />
      </div>
    </dialog>
  );
}

const Column = ({ name, parts }: { name: string; parts: ComparedParagraph[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must also scroll by keyboard
  <section className="compare-column" aria-label={name} tabIndex={0}>
    <h3>{name}</h3>
    {parts.map((runs, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs repeat, and their order is fixed while this is open
      <p key={index}>
        {runs.map((run, runIndex) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the runs is fixed, too
          <RunText key={runIndex} run={run} isFirst={runIndex === 0} />
        ))}
      </p>
    ))}
  </section>
);

/** A run. Hidden text tells screen readers where a marked run begins and ends. */
const RunText = ({ run: { text, isUnique: isMarked }, isFirst }: { run: TextRun; isFirst: boolean }) => (
  <>
    {!isFirst && ' '}
    {isMarked ? (
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
  const blocks = [...body.querySelectorAll('p, h1, h2, h3, h4, h5, h6, pre, img, li, th, td')]
    .filter((block) => block.tagName === 'IMG' || !block.querySelector('p, li, pre, h2, h3, h4'))
    .map((block) => (block.tagName === 'IMG' ? `Picture: ${describeImage(block)}` : textOf(block)));
  return [title, ...blocks.filter(Boolean)];
}

const describeImage = (image: Element): string =>
  image.getAttribute('alt') || (image.hasAttribute('role') ? 'decorative' : 'no description');
const textOf = (block: Element): string => block.textContent?.replace(/\s+/g, ' ').trim() ?? '';
