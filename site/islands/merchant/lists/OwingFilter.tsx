import type { CustomerStatus } from '#shared/contracts/lists/list-values';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { formatListAddress } from '#site/islands/ui/table/list-view.ts';
import { customerSource } from './customers.ts';
import type { List } from './use-list.ts';
import { useAmountsOwed } from './use-owed.ts';
import '#site/styles/parts/form/switch.css';

const choices: { name: string; status: CustomerStatus | ''; count: 'all' | CustomerStatus }[] = [
  { name: 'All', status: '', count: 'all' },
  { name: 'Owes', status: 'owes', count: 'owes' },
  { name: 'Overdue', status: 'overdue', count: 'overdue' },
];

/** Links to all customers, to those who owe money and to those with overdue invoices, with the count of each. */
export function OwingFilter({ list }: { list: List<unknown> }) {
  const owed = useAmountsOwed(list.info?.asOf ?? '');
  const { query } = list;
  return (
    <nav className="switch" aria-label="Customers by what they owe">
      {choices.map(({ name, status, count }) => {
        const search = formatListAddress({ ...query, filters: { owed: status }, page: 1 }, customerSource);
        return (
          <AppLink
            key={name}
            href={`/customers${search && `?${search}`}`}
            isActive={(query.filters.owed ?? '') === status}
          >
            {name} {owed?.customers[count].toLocaleString('en-US')}
          </AppLink>
        );
      })}
    </nav>
  );
}
