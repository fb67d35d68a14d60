import { Banner } from '../../ui/feedback/Banner.tsx';
import { AppLink } from '../../ui/routing/router.tsx';
import { useLoad } from '../parts/use-load.ts';
import { ApprovalsNotice } from '../refunds/ApprovalsNotice.tsx';
import { fetchReconciliation } from './api.ts';

/** What waits for a person at the head of the dashboard. */
export const ChecksNotice = () => (
  <>
    <ApprovalsNotice />
    <Checks />
  </>
);

/** The number of payments that need a person; a plain link when there are none. */
function Checks() {
  const { value } = useLoad('matching', 'Failed to fetch what was checked', fetchReconciliation);
  const count = value ? value.undecided.length + value.undecided_reversals.length + value.differences.length : 0;
  if (count === 0) {
    return (
      <p>
        <AppLink href="/checks">Payments to check</AppLink>
      </p>
    );
  }
  return (
    <Banner tone="warn" lead={count === 1 ? 'One payment needs a look.' : `${count} payments need a look.`}>
      <AppLink href="/checks">Payments to check</AppLink>
    </Banner>
  );
}
