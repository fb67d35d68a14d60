import type { Runbook, RunbookBlock } from '#shared/contracts/operators/operator';
import { ruleOf } from '#worker/domain/alerts/register';
import text from '../../../docs/runbook.md?raw';

// Operators read the runbook beside the alert that needs it; docs/runbook.md is its only source.

/** The number of steps shown with an alert; the rest is in the runbook. */
const MAX_STEPS = 2;

const cellsOf = (line: string) =>
  line
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

function blockOf(lines: string[]): RunbookBlock {
  const [first = ''] = lines;
  if (first.startsWith('- ')) return { kind: 'list', rows: lines.map((line) => [line.replace(/^- /, '')]) };
  if (!first.startsWith('|')) return { kind: 'text', rows: [[lines.join(' ')]] };
  return { kind: 'table', rows: lines.filter((line) => !/^[|\s:-]+$/.test(line)).map(cellsOf) };
}

/** Splits Markdown into blocks: at blank lines, and where a new kind or a new bold step begins. */
export function blocksOf(markdown: string): RunbookBlock[] {
  const groups: string[][] = [];
  let kind = '';
  for (const line of markdown.split('\n')) {
    const next = line.trim() === '' ? '' : line.startsWith('- ') ? 'list' : line.startsWith('|') ? 'table' : 'text';
    const isStep = next === 'text' && line.startsWith('**');
    if (next !== '' && (next !== kind || isStep)) groups.push([]);
    if (next !== '') groups.at(-1)?.push(line.trim());
    kind = next;
  }
  return groups.map(blockOf);
}

const [preface = '', ...sectionTexts] = text.split(/^## /m);
const sections = new Map(
  sectionTexts.map((section) => {
    const end = section.indexOf('\n');
    return [section.slice(0, end).trim(), blocksOf(section.slice(end))] as const;
  }),
);

/** The whole runbook, a section for each alert. */
export const viewRunbook = (): Runbook => ({
  intro: blocksOf(preface.replace(/^# .*$/m, '')),
  sections: [...sections].map(([event, blocks]) => {
    const { description: says, severity } = ruleOf(event);
    return { event, says, severity, blocks };
  }),
});

/** The first steps of an alert, in the runbook's Markdown; empty for an event that the runbook does not know. */
export const firstSteps = (event: string): string[] =>
  (sections.get(event) ?? [])
    .flatMap(({ kind, rows }) => (kind === 'text' ? (rows[0] ?? []) : []))
    .filter((step) => !step.startsWith('**It means**'))
    .slice(0, MAX_STEPS);
