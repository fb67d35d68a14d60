import type { Told } from './described.ts';

type Listener = (told: Told) => void;
const shared = globalThis as { answerListener?: Listener };

/** Registers a listener for responses not received by fetch; hold-answers.ts does so where it is a setup file. */
export const onAnswer = (listener: Listener): void => {
  shared.answerListener = listener;
};

export const tellAnswer = (told: Told): void => shared.answerListener?.(told);

/** The content type without its parameters. */
export const typeOf = (headers: Headers): string => (headers.get('content-type') ?? '').replace(/;.*/, '').trim();
