import type { Fault } from './faults.ts';
import type { Books, Entry } from './gateway-records.ts';
import { notifyDebit } from './webhooks.ts';

/** G23, G25: an accepted bank debit proceeds on its own; the payer's bank may return it at any stage. */
export function startDebit(books: Books, entry: Entry, fault: Fault | null): void {
  const { knobs, world } = books;
  const chance = world.random();
  const isReturned = fault === 'returned' || chance < knobs.achReturned.before;
  const isReturnedLater = fault === 'returned-after-settled' || 1 - chance < knobs.achReturned.after;

  const settlingMs = books.draw(knobs.achSettlingMs);
  if (fault === 'debit-cancelled' || fault === 'debit-unlisted' || fault === 'debit-on-hold') {
    world.later(settlingMs, `debit ${entry.id} stops`, () => stopDebit(books, entry, fault));
    return;
  }
  const settledMs = Math.max(settlingMs, books.draw(knobs.achSettledMs));
  world.later(settlingMs, `debit ${entry.id} is on its way`, () => changeState(books, entry, 'Pending', 'Settling'));
  world.later(settledMs, `debit ${entry.id} is settled`, () => {
    if (changeState(books, entry, 'Settling', 'Settled') && !isReturned && isReturnedLater) {
      const afterMs = books.draw(knobs.achReturnAfterSettledMs);
      world.later(afterMs, `debit ${entry.id} comes back`, () => returnDebit(books, entry, 'R10'));
    }
  });
  if (!isReturned) return;
  const afterMs = Math.min(settledMs - 1, books.draw(knobs.achReturnMs));
  world.later(afterMs, `debit ${entry.id} comes back`, () => returnDebit(books, entry, 'R01'));
}

function changeState(books: Books, entry: Entry, from: Entry['ach'], to: 'Settling' | 'Settled'): boolean {
  if (entry.ach !== from || from === null) return false;
  entry.ach = to;
  entry.changedAt = books.world.now();
  if (to === 'Settled') entry.settledAt = books.world.now();
  books.record(entry);
  notifyDebit(books, entry, from);
  return true;
}

/** G24: the debit ends in an undocumented way, is no longer listed, or stays in an undocumented state. */
function stopDebit(books: Books, entry: Entry, fate: 'debit-cancelled' | 'debit-unlisted' | 'debit-on-hold'): void {
  if (entry.ach !== 'Pending') return;
  entry.ach = fate === 'debit-on-hold' ? 'On Hold' : 'Cancelled';
  if (fate === 'debit-unlisted') entry.isUnlisted = true;
  entry.changedAt = books.world.now();
  books.record(entry);
  if (fate !== 'debit-unlisted') notifyDebit(books, entry, 'Pending');
}

/** Returns the debit: the money is gone again, even after settlement. */
export function returnDebit(books: Books, entry: Entry, code: string): boolean {
  if (!entry.ach || entry.ach === 'Returned' || entry.ach === 'Cancelled' || !entry.isApproved) return false;
  const previous = entry.ach;
  entry.ach = 'Returned';
  entry.returnCode = code;
  entry.returnedAt = books.world.now();
  entry.changedAt = entry.returnedAt;
  books.record(entry);
  notifyDebit(books, entry, previous);
  return true;
}
