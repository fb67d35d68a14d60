import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { setApiError, useApiError } from '../api/api.ts';
import { AccountBar } from './AccountBar.tsx';

/** Replaces a screen with a list if the server could not answer a list request. */
export function ApiErrorScreen({ title }: { title: string }) {
  const message = useApiError();
  const retry = () => setApiError(null);
  return (
    <div className="app-wide">
      <h1 tabIndex={-1}>{title}</h1>
      <AccountBar
        onRefreshed={retry}
        alert={
          <Banner
            tone="bad"
            lead={message}
            actions={
              <button type="button" className="text-button" onClick={retry}>
                Retry
              </button>
            }
          />
        }
      />
    </div>
  );
}
