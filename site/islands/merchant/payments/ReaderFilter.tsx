import { useEffect, useState } from 'react';
import type { ListedPayment } from '#shared/contracts/payments/payment-list';
import { ONLINE_PAYMENTS } from '#shared/contracts/payments/payment-list-values';
import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import type { List } from '../lists/use-list.ts';
import { fetchCardReaders } from '../parts/card-readers.ts';

type Reader = { id: string; name: string };

const ANYWHERE: Reader[] = [
  { id: '', name: 'All' },
  { id: ONLINE_PAYMENTS, name: 'Online' },
];

/** Limits the list to payments at one card reader, or to online payments. */
export function ReaderFilter({ list }: { list: List<ListedPayment> }) {
  const { filters } = list.query;
  const chosen = filters.terminal ?? '';
  const [readers, setReaders] = useState<Reader[]>([]);
  const [isWanted, setWanted] = useState(chosen !== '');
  useEffect(() => {
    if (!isWanted) return;
    void fetchCardReaders().then((answer) => {
      if (answer.ok)
        setReaders(
          answer.value.desks.map(({ terminal_id, terminal_name }) => ({ id: terminal_id, name: terminal_name })),
        );
    });
  }, [isWanted]);
  const choices = [...ANYWHERE, ...readers];
  // The name of a card reader that the business no longer has comes from its payments in the list.
  const formerName = list.rows.find(({ terminal_id }) => terminal_id === chosen)?.terminal || chosen;
  const name = choices.find(({ id }) => id === chosen)?.name ?? formerName;
  return (
    <Disclosure
      labelPrefix="Filter by card reader"
      label={chosen ? `Card reader: ${name}` : 'Card reader'}
      isSet={chosen !== ''}
    >
      {() => (
        <Choices
          choices={choices}
          chosen={chosen}
          onOpen={() => setWanted(true)}
          onChoose={(terminal) => list.show({ filters: { ...filters, terminal }, page: 1 })}
        />
      )}
    </Disclosure>
  );
}

type ChoicesProps = {
  choices: Reader[];
  chosen: string;
  onOpen(): void;
  onChoose(id: string): void;
};

function Choices({ choices, chosen, onOpen, onChoose }: ChoicesProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the panel opens
  useEffect(onOpen, []);
  return (
    <fieldset className="choices">
      <legend className="sr-only">Card reader</legend>
      {choices.map(({ id, name }) => (
        <label key={id}>
          <input type="radio" name="reader" checked={id === chosen} onChange={() => onChoose(id)} />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
