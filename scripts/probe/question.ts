import type { Call, Talk } from './talk.ts';

export type Verdict = 'yes' | 'no' | 'unknown';
export type Answer = { verdict: Verdict; seen: string };

/** A question that a vendor's documents leave open and a call can answer. */
export type Question = {
  id: string;
  /** A claim that is true or false. */
  claim: string;
  /** True if it writes into the vendor's test account. */
  writes: boolean;
  look(talk: Talk): Promise<Answer>;
  /** The consequence for one of our settings or rules, for either answer. */
  yes: string;
  no: string;
};

export const yesIf = (isTrue: boolean, seen: string): Answer => ({ verdict: isTrue ? 'yes' : 'no', seen });
export const unknown = (seen: string): Answer => ({ verdict: 'unknown', seen });

export type AnsweredQuestion = { question: Question; answer: Answer; calls: Call[] };

/** Runs the questions sequentially. A failed question does not stop the others. */
export async function askAll(questions: Question[], talk: Talk, mayWrite: boolean): Promise<AnsweredQuestion[]> {
  const all: AnsweredQuestion[] = [];
  for (const question of questions) {
    const from = talk.calls.length;
    const answer = await answerTo(question, talk, mayWrite);
    all.push({ question, answer, calls: talk.calls.slice(from) });
  }
  return all;
}

async function answerTo({ writes, look }: Question, talk: Talk, mayWrite: boolean): Promise<Answer> {
  if (writes && !mayWrite) return { verdict: 'unknown', seen: 'not asked: it writes into the test account (--write)' };
  try {
    return await look(talk);
  } catch (cause) {
    return { verdict: 'unknown', seen: `not answered: ${cause instanceof Error ? cause.message : cause}` };
  }
}

/** The page for docs/probes/. Masks each secret again, in case a response quoted one. */
export function transcript(vendor: string, day: string, all: AnsweredQuestion[], secrets: string[]): string {
  const parts = all.map(({ question: { id, claim, yes, no }, answer: { verdict, seen }, calls }) => {
    const follows = verdict === 'yes' ? yes : verdict === 'no' ? no : `If so: ${yes} If not: ${no}`;
    const lines = calls.map(({ line, status }) => `    ${line} → ${status}`);
    return [`## ${id}: ${verdict}`, '', claim, '', `Seen: ${seen}`, '', `Follows: ${follows}`, '', ...lines].join('\n');
  });
  const text = [`# Probe of ${vendor}, ${day}`, ...parts].join('\n\n').trimEnd();
  // Longest first, so that a shorter secret does not mask only a part of a longer one.
  const longestFirst = secrets.filter((secret) => secret.length >= 8).sort((a, b) => b.length - a.length);
  return `${longestFirst.reduce((page, secret) => page.replace(anyFormOf(secret), '[secret]'), text)}\n`;
}

/** Matches a secret as plain text and as escaped in addresses, forms and JSON, per character. */
function anyFormOf(secret: string): RegExp {
  const characters = [...secret].map((character) => {
    const escaped = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    const forms = [JSON.stringify(character).slice(1, -1), character, ...(character === ' ' ? ['+'] : [])];
    return `(?:${[escaped, ...forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))].join('|')})`;
  });
  return new RegExp(characters.join(''), 'gi');
}
