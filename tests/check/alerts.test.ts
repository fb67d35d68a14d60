import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MEASURED_EVENTS, register } from '#worker/domain/alerts/register';

const files = globSync('worker/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const all = [...sources.values()].join('\n');
const matchesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
const unique = (names: string[]) => [...new Set(names)].sort();

/** Files whose calls compute the event, each with the events that it raises. */
const DYNAMIC: Record<string, string[]> = {
  'worker/log.ts': [],
  'worker/domain/alerts/notify.ts': ['alerts-held'],
  'worker/domain/tamper-monitor/watch.ts': ['script-changed', 'pay-page-differs'],
};
const literal = /\.alert\(\s*'([a-z-]+)'/g;
const measured = /'([a-z-]+)' AS event|iif\(kind = '([a-z-]+)', kind, '([a-z-]+)'\) AS event/g;

const inCode = unique([...matchesOf(all, literal), ...Object.values(DYNAMIC).flat(), ...MEASURED_EVENTS]);

test('every alerted event has a row in the register, and every row has an event', () => {
  expect(Object.keys(register).sort()).toEqual(inCode);
  for (const [file, text] of sources) {
    const calls = matchesOf(text, /(\.alert\()/g).length;
    if (calls > matchesOf(text, literal).length) expect(Object.keys(DYNAMIC)).toContain(file);
  }
});

test('the register marks as measured exactly what the schedule measures', () => {
  const text = sources.get('worker/data/alerts/measure.ts') ?? '';
  const events = [...text.matchAll(measured)].flatMap((match) => match.slice(1).filter(Boolean));
  expect(unique(events)).toEqual([...MEASURED_EVENTS].sort());
});

test('docs/runbook.md has a section for each event with its meaning, what to look at and what to do', () => {
  const sections = readFileSync('docs/runbook.md', 'utf8').split(/^## /m).slice(1);
  const byEvent = new Map(sections.map((section) => [section.split('\n')[0] ?? '', section]));
  expect(byEvent.size).toBe(sections.length);
  expect([...byEvent.keys()].sort()).toEqual(Object.keys(register).sort());
  for (const [event, section] of byEvent) {
    for (const part of [/\*\*It means\*\* /, /\*\*Look at\*\* /, /\*\*[Dd]o\*\*/]) expect(section, event).toMatch(part);
  }
});
