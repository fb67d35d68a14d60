import type { StoredCard } from '#shared/contracts/payments/stored-cards';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { hasRight } from '../common/app-view.ts';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { describeStoredCard, fetchStoredCards, removeStoredCard, storedCardName } from './stored-cards.ts';

type Props = {
  contactId: string;
  /** Loads the cards again when it changes. */
  version: number;
};

/** Lists the cards that a customer keeps at the business, and lets staff remove them. */
export function StoredCards({ contactId, version }: Props) {
  const load = useLoad(`${contactId} ${version}`, 'Failed to fetch the cards on file', () =>
    fetchStoredCards(contactId),
  );
  const cards = load.value;
  return (
    <>
      <LoadFailure lead="The cards on file could not be loaded." load={load} />
      {!cards && load.isLoading && (
        <p className="customer-none" role="status">
          Loading...
        </p>
      )}
      {cards?.length === 0 && <p className="customer-none">No cards on file.</p>}
      {cards && cards.length > 0 && (
        <ul className="customer-rows">
          {cards.map((card) => (
            <CardRow key={card.id} card={card} onRemoved={load.reload} />
          ))}
        </ul>
      )}
    </>
  );
}

function CardRow({ card, onRemoved }: { card: StoredCard; onRemoved(): void }) {
  const name = storedCardName(card);
  return (
    <li>
      <time dateTime={card.consent.givenAt}>Since {formatDay(card.consent.givenAt)}</time>
      <span>{describeStoredCard(card)}</span>
      {hasRight('collect') && (
        <ConfirmedAction
          label="Remove"
          labelSuffix={name}
          title={`Remove ${name}?`}
          confirmLabel="Remove"
          isDestructive
          runAction={() => removeStoredCard(card.id)}
          successText={`${name} is removed.`}
          onDone={onRemoved}
        >
          <p>
            The card cannot be charged anymore. To keep it again, the customer must agree while paying. Payments already
            made stay.
          </p>
        </ConfirmedAction>
      )}
    </li>
  );
}
