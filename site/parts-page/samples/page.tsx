import { AppBar } from '#site/islands/ui/AppBar.tsx';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { DetailRows } from '#site/islands/ui/DetailRows.tsx';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { Money } from '#site/islands/ui/Money.tsx';
import { Lazy } from '#site/islands/ui/routing/Lazy.tsx';
import type { LazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { Wordmark, WordmarkReference, WordmarkSymbol } from '#site/islands/ui/Wordmark.tsx';
import { LONG, LONG_WORD, Sample, Samples } from './Samples.tsx';

const home = { path: '/', label: 'Tillway, home' };

export function PageSamples() {
  return (
    <Samples title="Page">
      <Sample title="App bar with links, and without">
        <AppBar
          home={home}
          logo={<Wordmark />}
          links={(close) =>
            ['Invoices', 'Customers'].map((name) => (
              <li key={name}>
                <AppLink href={`#${name}`} isActive={name === 'Invoices'} onClick={close}>
                  {name}
                </AppLink>
              </li>
            ))
          }
        />
        <AppBar home={home} logo={<Wordmark />} links={null} />
      </Sample>
      <Sample title="Wordmark as a symbol that is used by reference">
        <WordmarkSymbol />
        <WordmarkReference />
      </Sample>
      <Sample title="Icon in three sizes">
        <p className="parts-row">
          <Icon name="info" />
          <Icon name="info" size="sm" />
          <Icon name="info" size="xs" />
        </p>
      </Sample>
      <Sample title="Badge in five tones">
        <p className="parts-row">
          <Badge icon="minus">Draft</Badge>
          <Badge icon="check" tone="ok">
            Paid
          </Badge>
          <Badge icon="half" tone="note">
            In part
          </Badge>
          <Badge icon="clock" tone="warn">
            Overdue
          </Badge>
          <Badge icon="x" tone="bad">
            Declined
          </Badge>
        </p>
      </Sample>
      <Sample title="Money: an amount, less than nothing, none">
        <p className="parts-row">
          <Money amount="1234567.89" currency="USD" />
          <Money amount="-12.50" currency="EUR" />
          <Money amount={null} currency="USD" />
        </p>
      </Sample>
      <Sample title="Detail rows, short and long">
        <DetailRows
          rows={[
            ['Status', 'Active'],
            ['Business', LONG],
            ['One word', LONG_WORD],
          ]}
        />
      </Sample>
    </Samples>
  );
}

const Screen = ({ name }: { name: string }) => <p>The screen of {name} is here.</p>;

type Props = { name: string };
const loadingScreen: LazyScreen<Props> = { loaded: () => null, load: () => new Promise(() => undefined) };
const failingScreen: LazyScreen<Props> = { loaded: () => null, load: () => Promise.reject(new Error('no such file')) };
const loadedScreen: LazyScreen<Props> = { loaded: () => Screen, load: () => Promise.resolve(Screen) };

export function RoutingSamples() {
  return (
    <Samples title="Routing">
      <Sample title="Lazy screen: loading, failed, shown">
        {[loadingScreen, failingScreen, loadedScreen].map((screen, index) => (
          <Lazy
            // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
            key={index}
            screen={screen}
            props={{ name: 'Ada' }}
            failure={<p>This screen could not be loaded.</p>}
          />
        ))}
      </Sample>
      <Sample title="Link of the app: elsewhere, and to where one is">
        <p className="parts-row">
          <AppLink href="#elsewhere">Elsewhere</AppLink>
          <AppLink href="#here" isActive>
            Here
          </AppLink>
        </p>
      </Sample>
    </Samples>
  );
}
