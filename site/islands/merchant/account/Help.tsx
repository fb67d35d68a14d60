import { useSearch } from '#site/islands/ui/routing/router.tsx';
import { HelpParts } from './HelpParts.tsx';

/**
 * The Help page, for visits by address; a link to Help opens a drawer over the current screen. `of`: the path of the
 * screen that needs help.
 */
export function Help() {
  return (
    <div className="app-wide app-help">
      <h1 tabIndex={-1}>Help</h1>
      <HelpParts path={new URLSearchParams(useSearch()).get('of') ?? ''} heading="h2" />
    </div>
  );
}
