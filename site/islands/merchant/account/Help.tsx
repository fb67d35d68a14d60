import { useSearch } from '#site/islands/ui/routing/router.tsx';
import { HelpParts } from './HelpParts.tsx';

/** The page of Help, for who comes by its address: over a screen it opens beside it. `of`: the screen that one comes from. */
export function Help() {
  return (
    <div className="app-wide app-help">
      <h1 tabIndex={-1}>Help</h1>
      <HelpParts path={new URLSearchParams(useSearch()).get('of') ?? ''} heading="h2" />
    </div>
  );
}
