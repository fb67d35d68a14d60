import type { Device } from '../../../shared/contracts/session.ts';
import { Icon } from '../ui/Icon.tsx';

/** The start until the dashboard takes its place. */
export function Home({ name, devices }: { name: string; devices: Device[] }) {
  return (
    <div className="app-wide">
      <h1 tabIndex={-1}>Welcome, {name}</h1>
      <section className="card app-devices" aria-labelledby="devices">
        <h2 id="devices">Your terminals</h2>
        <ul>
          {devices.map(({ terminal_id, terminal_name }) => (
            <li key={terminal_id}>
              <Icon name="circleCheck" />
              <span>{terminal_name}</span>
              <span className="code">{terminal_id}</span>
            </li>
          ))}
        </ul>
        <p className="app-quiet">Your account is set up. Batches, open invoices and payments follow here.</p>
      </section>
    </div>
  );
}
