import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Money } from './Money.tsx';

/** The text without the parts that screen readers skip. */
function heard(element: HTMLElement): string {
  for (const silent of element.querySelectorAll('[aria-hidden="true"]')) silent.remove();
  return element.textContent;
}

it.each([
  ['-38.40', 'minus $38.40'],
  ['38.40', '$38.40'],
  ['0.00', '$0.00'],
  [null, 'N/A'],
])('says %s as "%s" to a screen reader', (amount, words) => {
  expect(heard(render(<Money amount={amount} currency="USD" />).container)).toBe(words);
});

it('shows one minus sign', () => {
  const { container } = render(<Money amount="-38.40" currency="USD" />);
  for (const unseen of container.querySelectorAll('.sr-only')) unseen.remove();
  expect(container.textContent).toBe('−$38.40');
});
