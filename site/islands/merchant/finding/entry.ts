import type { MoreIconName } from '../parts/MoreIcon.tsx';

export type Place = { name: string; path: string };

/** A line of the palette. `beside`: further words of it; `state`: said at the far end; without a path it does something here. */
export type Entry = Place & {
  id: string;
  icon: MoreIconName;
  beside?: string;
  state?: string;
  isOwed?: boolean;
  /** The form for a payment, with this customer filled in. */
  payPath?: string;
  act?: () => void;
};
