import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { setApiError, useApiError } from '../api/api.ts';
import { AccountBar } from './AccountBar.tsx';

/** Replaces a screen that consists of lists when the server could not answer one. */
export function ApiErrorPart({ title }: { title: string }) {
  const message = useApiError();
  const again = () => setApiError(null);
  return (
    <div className="app-wide">
      <h1 tabIndex={-1}>{title}</h1>
      <AccountBar
        onRefreshed={again}
        alert={
          <Banner
            tone="bad"
            lead={message}
            actions={
              <button type="button" className="text-button" onClick={again}>
                Retry
              </button>
            }
          />
        }
      />
    </div>
  );
}
