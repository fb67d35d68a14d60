import type { Language } from './language.ts';

/** Those whose words no native speaker has read yet: staff are told so where they choose one. */
export const unreadLanguages: readonly Language[] = ['es'];
