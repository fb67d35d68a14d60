import { useSearch } from '#site/islands/ui/routing/router.tsx';
import { HelpParts } from './HelpParts.tsx';

/**
 * The help page, for users who open its URL directly. Links to Help open a drawer over the current screen instead. The
 * query parameter `of` is the path of the screen for which help is shown.
 */
export function Help() {
  return (
    <div className="app-wide app-help">
      <h1 tabIndex={-1}>Help</h1>
      <HelpParts path={new URLSearchParams(useSearch()).get('of') ?? ''} heading="h2" />
    </div>
  );
}
