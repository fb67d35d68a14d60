import { useEffect, useState } from 'react';
import { mailHref, telHref } from '#shared/contact';
import { operator } from '#shared/operator';
import { formatInZone } from '#site/islands/ui/format-moment.ts';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { hasRight, readAppView } from '../common/app-view.ts';
import { Lazy } from '../common/Lazy.tsx';
import { usePaymentBlockReason } from '../common/online-off.ts';
import { RightHolders } from '../common/RequireRight.tsx';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { fetchTerminals } from './api.ts';
import { CloseAll } from './CloseAll.tsx';
import { TerminalSection } from './DeviceSection.tsx';
import '#site/styles/areas/merchant/money/batches.css';

const firstHour = lazyScreen(() => import('../first-hour/FirstHour.tsx').then((code) => code.FirstHour));

/** The first-hour checklist on the dashboard. Its height is reserved, so that nothing below it moves. */
export function FirstHourSection() {
  const [isNew] = useState(() => readAppView().isNew);
  if (!isNew) return null;
  return (
    <div className="first-hour-place">
      <Lazy screen={firstHour} props={{ level: 3 }} />
    </div>
  );
}

const today = lazyScreen(() => import('../today/Today.tsx').then((code) => code.Today));

/** The dashboard's first view: the day's figures, and the terminals with their batches. */
export function Batches() {
  const block = usePaymentBlockReason();
  const [isTopReady, setTopReady] = useState(false);
  const [movementCount, setMovementCount] = useState(0);
  const showBatches = () => setTopReady(true);
  useEffect(() => {
    today.load().catch(() => setTopReady(true));
  }, []);
  return (
    <div className="batches">
      <div className="batches-top">
        <h2>Batches Dashboard</h2>
        <p>{formatInZone(new Date(), { weekday: 'long', month: 'short', day: 'numeric', year: 'numeric' })}</p>
        {hasRight('collect') && !block && (
          <AppLink className="button button-primary" href="/payments">
            Take Payment
          </AppLink>
        )}
      </div>
      <FirstHourSection />
      <div className="today-place">
        <Lazy
          screen={today}
          props={{ onSettled: showBatches, onMoved: () => setMovementCount((count) => count + 1) }}
        />
      </div>
      {/* The batches load at once, but are shown only when the part above has its final height. */}
      <div className="batches" hidden={!isTopReady}>
        <Terminals movementCount={movementCount} />
      </div>
    </div>
  );
}

/** The batches are reloaded when `movementCount` increases. */
function Terminals({ movementCount: movements }: { movementCount: number }) {
  const devices = useLoad('devices', 'Failed to fetch devices', fetchTerminals);
  const { value } = devices;
  const [closingCount, setClosingCount] = useState(0);
  return (
    <>
      <LoadFailure lead="The terminals could not be loaded." load={devices} />
      {!value && !devices.failure && (
        <p role="status" className="app-quiet">
          Loading terminals...
        </p>
      )}
      {value?.length === 0 && <NoDevices />}
      {value && value.length > 1 && hasRight('close-batches') && (
        <CloseAll
          devices={value}
          onClosed={() => {
            devices.reload();
            setClosingCount((count) => count + 1);
          }}
        />
      )}
      {value && value.length > 0 && !hasRight('collect') && <RightHolders right="collect" action="take payments" />}
      {value && value.length > 0 && !hasRight('close-batches') && (
        <RightHolders right="close-batches" action="close batches" />
      )}
      {value?.map((device) => (
        <TerminalSection
          key={device.terminal_id}
          device={device}
          revision={closingCount + movements}
          reloadTerminals={devices.reload}
        />
      ))}
      {value && value.length > 0 && <TakingsLink />}
    </>
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
