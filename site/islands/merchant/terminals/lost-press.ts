import { useSyncExternalStore } from 'react';
import { isRecord, isText } from '#site/islands/ui/api/parse-response.ts';

/** A press whose answer was lost: the sale may have been started, so the card reader may still charge. */
export type LostPress = {
  /** The screen's own key of the press. */
  key: string;
  /** UTC milliseconds, by this browser. */
  at: number;
  terminalId: string;
  device: string;
  invoiceId: string;
  /** The invoice's number and the customer. */
  about: string;
  amount: string;
  currency: string;
};

/** In the tab's storage, since a reload is what people try first when the line is gone. */
const PLACE = 'lost_press';
const listeners = new Set<() => void>();
let last: { text: string | null; press: LostPress | null } = { text: null, press: null };

const isLostPress = (value: unknown): value is LostPress =>
  isRecord(value) &&
  typeof value.at === 'number' &&
  ['key', 'terminalId', 'device', 'invoiceId', 'about', 'amount', 'currency'].every((name) => isText(value[name]));

function read(): LostPress | null {
  const text = sessionStorage.getItem(PLACE);
  // The same object for the same text: React asks often.
  if (text !== last.text) last = { text, press: parse(text) };
  return last.press;
}

function parse(text: string | null): LostPress | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isLostPress(value) ? value : null;
  } catch {
    return null;
  }
}

export function keepLostPress(press: LostPress | null): void {
  if (press) sessionStorage.setItem(PLACE, JSON.stringify(press));
  else sessionStorage.removeItem(PLACE);
  for (const listener of listeners) listener();
}

export const useLostPress = (): LostPress | null =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
