import { Banner } from '../../ui/feedback/Banner.tsx';
import { AppLink } from '../../ui/routing/router.tsx';
import { may } from '../parts/app-view.ts';
import { useLoad } from '../parts/use-load.ts';
import { fetchApprovals } from './approvals-api.ts';

/** How many refunds and voids wait for this person; nothing when there are none. */
export const ApprovalsNotice = () => (may('manager') ? <Waiting /> : null);

function Waiting() {
  const { value } = useLoad('approvals', 'Failed to fetch the approvals', fetchApprovals);
  const count = value?.filter((one) => one.state === 'waiting' && one.is_yours_to_decide).length ?? 0;
  if (count === 0) return null;
  return (
    <Banner tone="note" lead={count === 1 ? 'One refund waits for you.' : `${count} refunds wait for you.`}>
      <AppLink href="/account/approvals">Approvals</AppLink>
    </Banner>
  );
}
