import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Money } from './Money.tsx';

/** Returns the element's text without the parts that screen readers skip. */
function spokenText(element: HTMLElement): string {
  for (const hidden of element.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
  return element.textContent;
}

it.each([
  ['-38.40', 'minus $38.40'],
  ['38.40', '$38.40'],
  ['0.00', '$0.00'],
  [null, 'N/A'],
])('reads %s as "%s" to a screen reader', (amount, text) => {
  expect(spokenText(render(<Money amount={amount} currency="USD" />).container)).toBe(text);
});

it('shows one minus sign', () => {
  const { container } = render(<Money amount="-38.40" currency="USD" />);
  for (const hidden of container.querySelectorAll('.sr-only')) hidden.remove();
  expect(container.textContent).toBe('−$38.40');
});
