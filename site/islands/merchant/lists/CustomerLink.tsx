import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { truncate } from '#site/islands/ui/table/CutText.tsx';
import { customerPath } from './customers.ts';

/** A customer's shortened name. It links to the customer's page if the CRM has a contact. */
export const CustomerLink = ({ id, name }: { id: string; name: string }) =>
  id ? (
    <AppLink href={customerPath(id)} className="row-link">
      {truncate(name)}
    </AppLink>
  ) : (
    truncate(name)
  );
