import { mailHref, telHref } from '../../../../shared/contact.ts';
import { operator } from '../../../../shared/operator.ts';
import { chunk } from '../../ui/chunk.ts';
import { Lazy } from '../Lazy.tsx';
import { fetchDevices } from './batch-calls.ts';
import { DeviceSection } from './DeviceSection.tsx';
import { LoadFailure } from './LoadFailure.tsx';
import { useLoad } from './use-load.ts';
import '../../../styles/areas/batches.css';

const checksNotice = chunk(() => import('../matching/ChecksNotice.tsx').then((code) => code.ChecksNotice));

/** The devices of a business with their batches: the view that the dashboard opens with. */
export function Batches() {
  const devices = useLoad('devices', 'Failed to fetch devices', fetchDevices);
  const { value } = devices;
  return (
    <div className="batches">
      <h2>Batches Dashboard</h2>
      <LoadFailure lead="Devices could not be loaded." load={devices} />
      {!value && !devices.failure && (
        <p role="status" className="app-quiet">
          Loading devices...
        </p>
      )}
      {value && value.length > 0 && <Lazy of={checksNotice} props={{}} />}
      {value?.length === 0 && <NoDevices />}
      {value?.map((device) => (
        <DeviceSection key={device.terminal_id} device={device} onClosed={devices.reload} />
      ))}
    </div>
  );
}

const NoDevices = () => (
  <p>
    No devices found. Please call the support vendor:{' '}
    <a href={telHref(operator.supportPhone)}>{operator.supportPhone}</a> or{' '}
    <a href={mailHref(operator.supportEmail)}>{operator.supportEmail}</a>.
  </p>
);
