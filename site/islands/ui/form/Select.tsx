import type { ComponentProps } from 'react';
import { Icon } from '../Icon.tsx';
import '#site/styles/parts/form/field.css';

/** The browser's native select element with our border and chevron. */
export function Select({ className = '', ...select }: ComponentProps<'select'>) {
  return (
    <span className={`select ${className}`}>
      <select {...select} />
      <Icon name="chevronDown" size="sm" />
    </span>
  );
}
