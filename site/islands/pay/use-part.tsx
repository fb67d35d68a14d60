import { type ComponentType, useEffect, useState } from 'react';
import type { PartProps } from './Part.tsx';
import { type Chosen, firstChoice, PART_ID } from './part-choice.ts';
import type { Page } from './pay-view.ts';

/** How much is paid now. Most invoices are paid whole, so the choice is loaded where there is one. */
export function usePart({ view, texts }: Pick<Page, 'view' | 'texts'>, readOnly: boolean) {
  const [choice, setChoice] = useState<Chosen | null>(() => firstChoice(view));
  const [isWrong, setWrong] = useState(false);
  const [Part, setPart] = useState<ComponentType<PartProps> | null>(null);
  const { parts } = view;
  const hasChoice = view.payId !== '' && texts.part !== null;
  useEffect(() => {
    if (!hasChoice) return;
    // Without it, all that is left can still be paid.
    import('./Part.tsx').then(
      (code) => setPart(() => code.Part),
      () => {},
    );
  }, [hasChoice]);
  const choose = (what: Chosen | null) => {
    setChoice(what);
    setWrong(false);
  };
  /** Null: the amount is not taken; the field says so and has the focus. */
  const take = (): Chosen | null => {
    setWrong(choice === null);
    if (!choice) document.getElementById(PART_ID)?.focus();
    return choice;
  };
  const box = texts.part !== null && (
    <div className="pay-part-box" data-row="part">
      {Part && parts && <Part view={view} parts={parts} readOnly={readOnly} isWrong={isWrong} onChoose={choose} />}
    </div>
  );
  return { choice, take, box };
}
