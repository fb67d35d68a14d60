import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { beginningOf } from '#site/islands/ui/table/CutText.tsx';
import { customerPath } from './customers.ts';

/** A customer's name; where the CRM links a record, it leads to the customer's page, which has the full name. */
export const CustomerLink = ({ id, name }: { id: string; name: string }) =>
  id ? (
    <AppLink href={customerPath(id)} className="row-link">
      {beginningOf(name)}
    </AppLink>
  ) : (
    beginningOf(name)
  );
