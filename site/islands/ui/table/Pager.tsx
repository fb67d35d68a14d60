import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { pageSizes } from '#shared/contracts/lists/list-values';
import { Select } from '../form/Select.tsx';
import { Icon, type IconName } from '../Icon.tsx';
import type { ListView } from './list-view.ts';
import '#site/styles/parts/form/button.css';
import '#site/styles/parts/form/field.css';
import '#site/styles/parts/table/pager.css';

const numberFormat = new Intl.NumberFormat('en-US');

type Props = {
  /** The plural noun for the rows, such as "invoices". */
  noun: string;
  list: ListView<unknown>;
  loadingText: string;
  isShown: boolean;
};

export function Pager({ noun, list, loadingText, isShown }: Props) {
  const { query, rows, first, total, pages, isMore, show } = list;
  const { page, size } = query;
  const range = rows.length > 0 ? `${numberFormat.format(first)}-${numberFormat.format(first + rows.length - 1)}` : '0';
  const atLeast = (all: number) => `${numberFormat.format(all)}${isMore ? '+' : ''}`;
  const totalText = total === null ? '' : ` of ${atLeast(total)}`;
  const position = pages
    ? `Page ${numberFormat.format(page)} of ${atLeast(pages)}`
    : `Page ${numberFormat.format(page)}`;
  // If the pages are not counted, a full page may be followed by another.
  const hasNext = pages === null ? rows.length === size : page < pages || (isMore && list.hasNext) || false;
  // For an empty list, only screen readers get this text.
  const isEmpty = isShown && rows.length === 0 && page === 1;
  const stepProps = (target: number, isEnabled: boolean) => ({ isEnabled, onStep: () => show({ page: target }) });

  return (
    <nav className={isEmpty ? 'sr-only' : 'pager'} aria-label={`Pages of ${noun}`}>
      <p className="pager-range" role="status">
        {isShown ? `${range}${totalText}` : loadingText}
        {isShown && <span className="sr-only">, {position}</span>}
      </p>
      {!isEmpty && (
        <>
          <div className="pager-steps">
            <StepButton icon="first" name="First page" {...stepProps(1, page > 1)} />
            <StepButton icon="previous" name="Previous page" {...stepProps(page - 1, page > 1)} />
            <span className="pager-where" aria-hidden="true">
              {position}
            </span>
            <StepButton icon="next" name="Next page" {...stepProps(page + 1, hasNext)} />
            <StepButton icon="last" name="Last page" {...stepProps(pages ?? page, pages !== null && hasNext)} />
          </div>
          <PageField page={page} pages={pages} onGo={(target) => show({ page: target })} />
          <Select
            className="pager-size"
            aria-label="Rows per page"
            value={size}
            onChange={({ target }) => show({ size: Number(target.value), page: 1 })}
          >
            {pageSizes.map((choice) => (
              <option key={choice} value={choice}>
                Show {choice}
              </option>
            ))}
          </Select>
        </>
      )}
    </nav>
  );
}

type StepProps = { icon: IconName; name: string; isEnabled: boolean; onStep(): void };

/** A button to another page. It stays focusable when it is disabled, so the click to the last page keeps the focus. */
const StepButton = ({ icon, name, isEnabled, onStep: onPress }: StepProps) => (
  <button
    type="button"
    className="button button-secondary pager-step"
    aria-label={name}
    title={name}
    aria-disabled={!isEnabled || undefined}
    onClick={() => {
      if (isEnabled) onPress();
    }}
  >
    <Icon name={icon} size="sm" />
  </button>
);

type PageFieldProps = { page: number; pages: number | null; onGo(page: number): void };

const TYPING_PAUSE_MS = 600;

/** A field for the page number. It applies on Enter or when typing pauses. An empty field means the first page. */
function PageField({ page, pages, onGo }: PageFieldProps) {
  const id = useId();
  const [text, setText] = useState(String(page));
  const [shownPage, setShownPage] = useState(page);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (shownPage !== page) {
    setShownPage(page);
    if (text !== '' || page !== 1) setText(String(page));
  }
  const goToPage = (entered: string) => {
    clearTimeout(timer.current);
    const requested = entered.trim() === '' ? 1 : Math.floor(Number(entered));
    const target = Math.max(1, Math.min(Number.isFinite(requested) ? requested : page, pages ?? requested));
    if (entered !== '') setText(String(target));
    if (target !== page) onGo(target);
  };
  const onPause = useEffectEvent(goToPage);
  return (
    <form
      className="pager-go"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        goToPage(text);
      }}
    >
      <label htmlFor={id}>
        Go to<span className="sr-only"> page</span>
      </label>
      <input
        id={id}
        className="input"
        type="number"
        inputMode="numeric"
        enterKeyHint="go"
        min={1}
        max={pages ?? undefined}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onPause(target.value), TYPING_PAUSE_MS);
        }}
      />
    </form>
  );
}
