import { useEffect } from 'react';
import { fetchAhead } from '#site/islands/ui/routing/lazy-screen.ts';
import { usePath } from '#site/islands/ui/routing/router.tsx';
import { useApiError } from '../api/api-error.ts';
import { customerSource } from '../lists/customers.ts';
import { fetchFirstPage } from '../lists/use-list.ts';
import { apiErrorPart } from '../parts/api-error-part.ts';
import { Lazy } from '../parts/Lazy.tsx';
import { AccountButton } from './AccountButton.tsx';
import { accountMenu } from './account.ts';
import { Sidebar } from './Sidebar.tsx';
import { viewAt } from './views.ts';
import '#site/styles/areas/merchant/dashboard.css';

export function Dashboard() {
  return useApiError() === null ? <Frame /> : <Lazy of={apiErrorPart} props={{ title: 'Dashboard' }} />;
}

function Frame() {
  const view = viewAt(usePath());
  useEffect(() => {
    void fetchFirstPage(customerSource);
    fetchAhead(accountMenu);
  }, []);
  return (
    <div className="dash">
      <div className="dash-head">
        <h1 tabIndex={-1}>Dashboard</h1>
        <AccountButton />
      </div>
      <Sidebar current={view} />
      <div className="dash-view">{view && <Lazy key={view.path} of={view.screen} props={{}} />}</div>
    </div>
  );
}
