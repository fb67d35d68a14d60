import { useEffect } from 'react';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { usePath } from '../../ui/router.tsx';
import { ApiErrorPart } from '../ApiErrorPart.tsx';
import { useApiError } from '../api-error.ts';
import { Lazy } from '../Lazy.tsx';
import { customerSource } from '../lists/customers.tsx';
import { fetchFirstPage } from '../lists/use-list.ts';
import { Sidebar } from './Sidebar.tsx';
import { viewAt } from './views.ts';
import '../../../styles/areas/dashboard.css';

export function Dashboard() {
  return useApiError() === null ? <Frame /> : <ApiErrorPart title="Dashboard" />;
}

function Frame() {
  const view = viewAt(usePath());
  useEffect(() => {
    void fetchFirstPage(customerSource);
  }, []);
  return (
    <div className="dash">
      <div className="dash-head">
        <h1 tabIndex={-1}>Dashboard</h1>
        <Disclosure label="Account" align="end" isMenu>
          {() => <a href="/logout">Log Out</a>}
        </Disclosure>
      </div>
      <Sidebar current={view} />
      <div className="dash-view">{view && <Lazy key={view.path} of={view.screen} props={{}} />}</div>
    </div>
  );
}
