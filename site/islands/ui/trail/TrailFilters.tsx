import { useState } from 'react';
import { type AuditView, auditGroups } from '#shared/contracts/staff/audit';
import { Button } from '../form/Button.tsx';
import { Field } from '../form/Field.tsx';
import { Select } from '../form/Select.tsx';
import { Icon } from '../Icon.tsx';
import { type TrailFilter, type TrailQuery, type TrailScope, trailFilters } from './trail.ts';

type Props = { scope: TrailScope; query: TrailQuery; people: AuditView['people']; onShow(query: TrailQuery): void };

/** The filters of a trail. On a narrow screen, they are behind a button that shows how many are set. */
export function TrailFilters({ scope, query, people, onShow }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft] = useState(query);
  const count = trailFilters.filter((name) => query[name]).length;
  const inputProps = (name: TrailFilter) => ({
    id: `trail-${name}`,
    value: draft[name] ?? '',
    onChange: ({ target }: { target: { value: string } }) => setDraft({ ...draft, [name]: target.value }),
  });
  const groups = scope.groups.map((group): [string, string] => [group, auditGroups[group]]);
  const knownPeople = people.map(({ person, name }): [string, string] => [person, name]);
  return (
    <>
      <button
        type="button"
        className={`button button-secondary trail-open${count > 0 ? ' disclosure-set' : ''}`}
        aria-expanded={isOpen}
        aria-controls="trail-filters"
        onClick={() => setOpen(!isOpen)}
      >
        Filter{count > 0 && ` ${count}`}
        <Icon name="chevronDown" size="sm" />
      </button>
      <form
        id="trail-filters"
        className={isOpen ? 'trail-filters trail-filters-open' : 'trail-filters'}
        aria-label="Filters"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onShow({ ...draft, before: '' });
        }}
      >
        <Choice label="Kind" {...inputProps('group')} anyLabel="Any kind" choices={groups} />
        {scope.actions && (
          <Choice label="Action" {...inputProps('action')} anyLabel="Any action" choices={[...scope.actions]} />
        )}
        <Choice
          label="Who"
          {...inputProps('person')}
          anyLabel="Anyone"
          choices={[...knownPeople, ...scope.otherActors]}
        />
        {scope.hasClinicFilter && (
          <Field label="Clinic’s number" inputMode="numeric" autoComplete="off" {...inputProps('clinic')} />
        )}
        <Field type="date" label="From" autoComplete="off" {...inputProps('from')} />
        <Field type="date" label="To" autoComplete="off" {...inputProps('to')} />
        <Field label={scope.idLabel} autoComplete="off" maxLength={100} {...inputProps('about')} />
        <div className="trail-filters-end">
          <Button type="submit">Apply</Button>
          {count > 0 && (
            <Button kind="ghost" onClick={() => onShow({})}>
              Clear
            </Button>
          )}
        </div>
      </form>
    </>
  );
}

type ChoiceProps = {
  id: string;
  label: string;
  anyLabel: string;
  value: string;
  choices: [value: string, name: string][];
  onChange(event: { target: { value: string } }): void;
};

function Choice({ id, label, anyLabel, value, choices, onChange }: ChoiceProps) {
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <Select id={id} value={value} onChange={onChange}>
        <option value="">{anyLabel}</option>
        {choices.map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
        {value && !choices.some(([choice]) => choice === value) && <option value={value}>{value}</option>}
      </Select>
    </div>
  );
}
