import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';

/** Said only after a press, so the first list does without its words. */
export const mailAlert = lazyScreen(() => import('./MailAlert.tsx').then((code) => code.MailAlert));
