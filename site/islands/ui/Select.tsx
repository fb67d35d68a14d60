import type { SelectHTMLAttributes } from 'react';
import { Icon } from './Icon.tsx';
import '../../styles/parts/field.css';

/** The browser's own select with our edge and chevron. */
export function Select({ className = '', ...select }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <span className={`select ${className}`}>
      <select {...select} />
      <Icon name="chevronDown" size="sm" />
    </span>
  );
}
