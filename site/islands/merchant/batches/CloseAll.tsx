import { useEffect, useState } from 'react';
import type { Device } from '#shared/contracts/staff/session';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { lazyScreen, preload } from '#site/islands/ui/routing/lazy-screen.ts';
import { Lazy } from '../common/Lazy.tsx';
import type { ClosePlan } from './CloseAllDialog.tsx';
import { RELOAD_MS } from './DeviceSection.tsx';

const loadDialog = () => import('./CloseAllDialog.tsx');
const closeAllDialog = lazyScreen(() => loadDialog().then((code) => code.CloseAllDialog));

/** A button that closes the batches of all terminals. `onClosed` is called when the list should show them as closed. */
export function CloseAll({ devices, onClosed }: { devices: Device[]; onClosed(): void }) {
  const [plans, setPlans] = useState<ClosePlan[] | 'reading' | null>(null);
  const [unclosable, setUnclosable] = useState<ClosePlan[] | null>(null);
  useEffect(() => preload(closeAllDialog), []);
  const prepare = async () => {
    setUnclosable(null);
    setPlans('reading');
    const loaded = await loadDialog()
      .then((code) => code.fetchPlans(devices))
      .catch(() => null);
    const canClose = loaded?.some(({ closing }) => closing);
    setPlans(canClose ? loaded : null);
    if (!canClose) setUnclosable(loaded);
  };
  return (
    <div className="close-all-place">
      <Button busy={plans === 'reading'} onClick={() => void prepare()}>
        Close all batches
      </Button>
      {unclosable && (
        <Banner tone="note" lead="No batch was closed." onDismiss={() => setUnclosable(null)}>
          {unclosable.map((plan) => `${plan.device.terminal_name}: ${plan.closing ? '' : plan.reason}`).join(' ')}
        </Banner>
      )}
      {plans && plans !== 'reading' && (
        <Lazy
          screen={closeAllDialog}
          props={{ plans, onClosed: () => void setTimeout(onClosed, RELOAD_MS), onDismiss: () => setPlans(null) }}
        />
      )}
    </div>
  );
}
