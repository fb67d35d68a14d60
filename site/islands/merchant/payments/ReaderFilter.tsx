import { useEffect, useState } from 'react';
import type { ListedPayment } from '#shared/contracts/payments/payment-list';
import { ONLINE_PAYMENTS } from '#shared/contracts/payments/payment-list-values';
import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { fetchCardReaders } from '../common/card-readers.ts';
import type { List } from '../lists/use-list.ts';

type Reader = { id: string; name: string };

const GENERAL_CHOICES: Reader[] = [
  { id: '', name: 'All' },
  { id: ONLINE_PAYMENTS, name: 'Online' },
];

/** Limits the list to payments at one card reader, or to online payments. */
export function ReaderFilter({ list }: { list: List<ListedPayment> }) {
  const { filters } = list.query;
  const selectedId = filters.terminal ?? '';
  const [readers, setReaders] = useState<Reader[]>([]);
  const [shouldLoad, setShouldLoad] = useState(selectedId !== '');
  useEffect(() => {
    if (!shouldLoad) return;
    void fetchCardReaders().then((answer) => {
      if (answer.ok)
        setReaders(
          answer.value.desks.map(({ terminal_id, terminal_name }) => ({ id: terminal_id, name: terminal_name })),
        );
    });
  }, [shouldLoad]);
  const choices = [...GENERAL_CHOICES, ...readers];
  // The name of a card reader that the business no longer has comes from its payments in the list.
  const formerName = list.rows.find(({ terminal_id }) => terminal_id === selectedId)?.terminal || selectedId;
  const name = choices.find(({ id }) => id === selectedId)?.name ?? formerName;
  return (
    <Disclosure
      labelPrefix="Filter by card reader"
      label={selectedId ? `Card reader: ${name}` : 'Card reader'}
      isSet={selectedId !== ''}
    >
      {() => (
        <Choices
          choices={choices}
          selectedId={selectedId}
          onOpen={() => setShouldLoad(true)}
          onChoose={(terminal) => list.show({ filters: { ...filters, terminal }, page: 1 })}
        />
      )}
    </Disclosure>
  );
}

type ChoicesProps = {
  choices: Reader[];
  selectedId: string;
  onOpen(): void;
  onChoose(id: string): void;
};

function Choices({ choices, selectedId: chosen, onOpen, onChoose }: ChoicesProps) {
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
