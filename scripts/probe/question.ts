import type { Call, Talk } from './talk.ts';

export type Verdict = 'yes' | 'no' | 'unknown';
export type Answer = { verdict: Verdict; seen: string };

/** One thing that a vendor's documents leave open and a call can answer. */
export type Question = {
  id: string;
  /** A sentence that is true or not. */
  asks: string;
  /** Whether something is written in the vendor's test account. */
  writes: boolean;
  look(talk: Talk): Promise<Answer>;
  /** What follows for a setting or a rule of ours, for either answer. */
  yes: string;
  no: string;
};

export const yesIf = (isSo: boolean, seen: string): Answer => ({ verdict: isSo ? 'yes' : 'no', seen });
export const unknown = (seen: string): Answer => ({ verdict: 'unknown', seen });

export type Answered = { question: Question; answer: Answer; calls: Call[] };

/** Asks one question after the other; one that fails does not keep the others from being asked. */
export async function askAll(questions: Question[], talk: Talk, mayWrite: boolean): Promise<Answered[]> {
  const all: Answered[] = [];
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

/** The page that goes into docs/probes/. Each secret is taken out once more, whatever an answer quoted. */
export function transcript(vendor: string, day: string, all: Answered[], secrets: string[]): string {
  const parts = all.map(({ question: { id, asks, yes, no }, answer: { verdict, seen }, calls }) => {
    const follows = verdict === 'yes' ? yes : verdict === 'no' ? no : `If so: ${yes} If not: ${no}`;
    const lines = calls.map(({ line, status }) => `    ${line} → ${status}`);
    return [`## ${id}: ${verdict}`, '', asks, '', `Seen: ${seen}`, '', `Follows: ${follows}`, '', ...lines].join('\n');
  });
  const text = [`# Probe of ${vendor}, ${day}`, ...parts].join('\n\n').trimEnd();
  // The longest first, so that no other one takes its beginning and leaves its end.
  const hidden = secrets.filter((secret) => secret.length >= 8).sort((a, b) => b.length - a.length);
  return `${hidden.reduce((page, secret) => page.replace(anyFormOf(secret), '[secret]'), text)}\n`;
}

/** A secret as it is, and as addresses, forms and JSON write it; each of them leaves other characters as they are. */
function anyFormOf(secret: string): RegExp {
  const characters = [...secret].map((character) => {
    const coded = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    const forms = [JSON.stringify(character).slice(1, -1), character, ...(character === ' ' ? ['+'] : [])];
    return `(?:${[coded, ...forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))].join('|')})`;
  });
  return new RegExp(characters.join(''), 'gi');
}
