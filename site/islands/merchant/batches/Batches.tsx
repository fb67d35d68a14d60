import { mailHref, telHref } from '../../../../shared/contact.ts';
import { operator } from '../../../../shared/operator.ts';
import { lazyScreen } from '../../ui/routing/lazy-screen.ts';
import { AppLink } from '../../ui/routing/router.tsx';
import { FirstHourPlace } from '../first-hour/FirstHourPlace.tsx';
import { Lazy } from '../parts/Lazy.tsx';
import { LoadFailure } from '../parts/LoadFailure.tsx';
import { useLoad } from '../parts/use-load.ts';
import { fetchDevices } from './api.ts';
import { DeviceSection } from './DeviceSection.tsx';
import '../../../styles/areas/merchant/batches.css';

const checksNotice = lazyScreen(() => import('../reconciliation/ChecksNotice.tsx').then((code) => code.ChecksNotice));

/** The dashboard's first view: devices with their batches. */
export function Batches() {
  const devices = useLoad('devices', 'Failed to fetch devices', fetchDevices);
  const { value } = devices;
  return (
    <div className="batches">
      <h2>Batches Dashboard</h2>
      <FirstHourPlace />
      <LoadFailure lead="Devices could not be loaded." load={devices} />
      {!value && !devices.failure && (
        <p role="status" className="app-quiet">
          Loading devices...
        </p>
      )}
      {value && value.length > 0 && <Lazy of={checksNotice} props={{}} />}
      {value?.length === 0 && <NoDevices />}
      {value?.map((device) => (
        <DeviceSection key={device.terminal_id} device={device} reloadDevices={devices.reload} />
      ))}
      {value && value.length > 0 && <TakingsLink />}
    </div>
  );
}

const TakingsLink = () => (
  <p>
    <AppLink href="/takings">Card takings</AppLink> of today or another day, as a sheet to print and sign.
  </p>
);

const NoDevices = () => (
  <p>
    No devices found. Please call the support vendor:{' '}
    <a href={telHref(operator.supportPhone)}>{operator.supportPhone}</a> or{' '}
    <a href={mailHref(operator.supportEmail)}>{operator.supportEmail}</a>.
  </p>
);
