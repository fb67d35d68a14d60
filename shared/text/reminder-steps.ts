import { formatList } from './format-list.ts';

const formatGroup = (days: number[], side: 'before' | 'after'): string[] =>
  days.length === 0 ? [] : [`${formatList(days)} ${days.at(-1) === 1 ? 'day' : 'days'} ${side}`];

/** "3 days before, on, 7 and 14 days after the due date"; `steps` are days after it, negative before it. */
export function describeDays(steps: number[]): string {
  const sortedSteps = steps.toSorted((a, b) => a - b);
  const days = (values: number[]) => values.map(Math.abs);
  const stepsAfter = sortedSteps.filter((step) => step > 0);
  const groups = [
    ...formatGroup(days(sortedSteps.filter((step) => step < 0)), 'before'),
    ...(sortedSteps.includes(0) ? ['on'] : []),
    ...formatGroup(stepsAfter, 'after'),
  ];
  // The last group may already contain "and", so do not add another.
  return `${stepsAfter.length > 1 ? groups.join(', ') : formatList(groups)} the due date`;
}
