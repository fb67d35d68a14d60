import { Lazy } from '#site/islands/ui/routing/Lazy.tsx';
import type { LazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { Sample, Samples } from './Samples.tsx';

const Screen = ({ name }: { name: string }) => <p>The screen of {name} is here.</p>;

type Props = { name: string };
const loading: LazyScreen<Props> = { loaded: () => null, load: () => new Promise(() => undefined) };
const failing: LazyScreen<Props> = { loaded: () => null, load: () => Promise.reject(new Error('no such file')) };
const loaded: LazyScreen<Props> = { loaded: () => Screen, load: () => Promise.resolve(Screen) };

export function RoutingSamples() {
  return (
    <Samples title="Routing">
      <Sample title="Lazy screen: loading, failed, shown">
        {[loading, failing, loaded].map((screen, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
          <Lazy key={at} of={screen} props={{ name: 'Ada' }} failed={<p>This screen could not be loaded.</p>} />
        ))}
      </Sample>
      <Sample title="Link of the app: elsewhere, and to where one is">
        <p className="parts-row">
          <AppLink href="#elsewhere">Elsewhere</AppLink>
          <AppLink href="#here" isHere>
            Here
          </AppLink>
        </p>
      </Sample>
    </Samples>
  );
}
