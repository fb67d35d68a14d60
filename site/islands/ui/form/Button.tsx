import type { ButtonHTMLAttributes, Ref } from 'react';
import '#site/styles/parts/form/button.css';
import '#site/styles/parts/page/icon.css';

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: 'primary' | 'secondary' | 'ghost' | 'bad';
  size?: 'sm' | 'lg';
  wide?: boolean;
  /** Shows a spinner and ignores clicks. The button keeps its place and the focus. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

export function Button({ kind = 'secondary', size, wide, busy, children, onClick, type = 'button', ...rest }: Props) {
  const classes = ['button', `button-${kind}`, size && `button-${size}`, wide && 'button-wide'];
  return (
    <button
      {...rest}
      type={type}
      className={classes.filter(Boolean).join(' ')}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={(event) => {
        if (!busy) onClick?.(event);
        else event.preventDefault();
      }}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
