import { useSearch } from '#site/islands/ui/routing/router.tsx';
import { HelpParts } from './HelpParts.tsx';

/**
 * Help page, shown when its URL is opened directly; a link to Help opens a drawer over the current screen instead. The
 * query parameter `of` is the path of the screen to show help for.
 */
export function Help() {
  return (
    <div className="app-wide app-help">
      <h1 tabIndex={-1}>Help</h1>
      <HelpParts path={new URLSearchParams(useSearch()).get('of') ?? ''} heading="h2" />
    </div>
  );
}
