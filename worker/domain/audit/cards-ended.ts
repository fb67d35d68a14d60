import type { Deps } from '#worker/deps';
import { auditEvent } from './event.ts';

/** The event for each of many cards on file that end; the statement that ends them fills in its subject. */
export const cardsEndedEvent = (deps: Deps, accountId: number) =>
  auditEvent(deps, { accountId, action: 'card.ended', subject: ['stored-card', ''] });
