import type { Told } from './described.ts';

type Listener = (told: Told) => void;
const shared = globalThis as { answerListener?: Listener };

/** Who hears of answers that came another way than by fetch: hold-answers.ts, in the projects that it is a setup file of. */
export const onAnswer = (listener: Listener): void => {
  shared.answerListener = listener;
};

export const tellAnswer = (told: Told): void => shared.answerListener?.(told);

/** The content type without its parameters. */
export const typeOf = (headers: Headers): string => (headers.get('content-type') ?? '').replace(/;.*/, '').trim();
