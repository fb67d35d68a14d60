import { useSyncExternalStore } from 'react';
import { writeDay } from '#site/islands/ui/format-moment.ts';

/** Day of the account's closing (YYYY-MM-DD); null if it stays open. */
let day: string | null = null;
const watchers = new Set<() => void>();

/** Stores what the server last said about the closing. */
export function noteClosing(closesOn: string | null): void {
  if (closesOn === day) return;
  day = closesOn;
  for (const watcher of watchers) watcher();
}

/** The reason why nothing is collected or asked for any more while the account is closing; null if it is not. */
export const closingBlock = (): string | null =>
  day === null ? null : `This account closes on ${writeDay(day, { month: 'short', day: 'numeric' })}.`;

/** The same for a component, which follows it. */
export const useClosing = (): string | null => useSyncExternalStore(watch, closingBlock);

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
