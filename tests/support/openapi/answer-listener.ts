import type { WorkerAnswer } from './description.ts';

type Listener = (answer: WorkerAnswer) => void;
const shared = globalThis as { answerListener?: Listener };

/** Registers a listener for responses not received by fetch; hold-answers.ts does so where it is a setup file. */
export const onAnswer = (listener: Listener): void => {
  shared.answerListener = listener;
};

/** Passes a response to the registered listener, if any. */
export const tellAnswer = (answer: WorkerAnswer): void => shared.answerListener?.(answer);

/** The content type without its parameters. */
export const typeOf = (headers: Headers): string => (headers.get('content-type') ?? '').replace(/;.*/, '').trim();
