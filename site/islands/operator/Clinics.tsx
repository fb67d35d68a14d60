import { type ClinicItem, OperatorClinics } from '#shared/contracts/operators/operator';
import { clinicGroups } from '#shared/contracts/operators/operator-values';
import { counted } from '#shared/text/counted';
import { formatBytes } from '#shared/text/format-bytes';
import { readWith } from '../ui/api/parse-response.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { Button } from '../ui/form/Button.tsx';
import { Select } from '../ui/form/Select.tsx';
import { formatSince, formatWhen } from '../ui/format-moment.ts';
import { AppLink, setSearch, useSearch } from '../ui/routing/router.tsx';
import { SearchBox } from '../ui/table/SearchBox.tsx';
import { is } from '../ui/table/TableRow.tsx';
import { usePolledView } from './api.ts';
import { ClinicStates } from './ClinicStates.tsx';
import '#site/styles/areas/operator/clinics.css';

const readClinics = readWith(OperatorClinics);

/** All clinics, the worst problems first. The page's address carries search, group and page. */
export function Clinics() {
  const asked = new URLSearchParams(useSearch());
  const [q, filter, page] = [asked.get('q') ?? '', asked.get('filter') ?? 'all', Number(asked.get('page')) || 1];
  const query = (next: Record<string, string | number>) => {
    const all = { q, filter, page: 1, ...next };
    const kept = Object.entries(all).filter(([name, value]) => value !== { q: '', filter: 'all', page: 1 }[name]);
    return new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  };
  const own = query({ page });
  const { seen, failure, isLooking } = usePolledView(`clinics${own && `?${own}`}`, readClinics, null);
  return (
    <div className="op-page">
      <h1 tabIndex={-1}>Clinics</h1>
      <div className="op-tools">
        <SearchBox
          of="name, number or account"
          value={q}
          onSearch={(words) => setSearch(query({ q: words }), { replace: true })}
        />
        <Select
          aria-label="Which clinics"
          value={filter}
          onChange={({ target }) => setSearch(query({ filter: target.value }))}
        >
          {Object.entries(clinicGroups).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </Select>
      </div>
      {failure && <Banner tone="bad" lead={failure} />}
      {!seen && !failure && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
      {seen && (
        <>
          <Rows clinics={seen.clinics} isLooking={isLooking} />
          <nav className="op-pages" aria-label="Pages of clinics">
            <p role="status">
              {seen.total === 0
                ? `No clinic: ${q ? `“${q}”, ` : ''}${clinicGroups[filter as keyof typeof clinicGroups] ?? filter}.`
                : `${counted(seen.total, 'clinic')}, page ${seen.page} of ${seen.pages}`}
            </p>
            {seen.pages > 1 && (
              <>
                <Button
                  aria-disabled={seen.page === 1 || undefined}
                  onClick={() => seen.page > 1 && setSearch(query({ page: seen.page - 1 }))}
                >
                  Previous
                </Button>
                <Button
                  aria-disabled={seen.page >= seen.pages || undefined}
                  onClick={() => seen.page < seen.pages && setSearch(query({ page: seen.page + 1 }))}
                >
                  Next
                </Button>
              </>
            )}
          </nav>
        </>
      )}
    </div>
  );
}

const COLUMNS = ['Clinic', 'State', 'Last payment', 'Unknown since', 'Waiting', 'Schema', 'Size', 'Last heard'];

function Rows({ clinics, isLooking }: { clinics: ClinicItem[]; isLooking: boolean }) {
  if (clinics.length === 0) return null;
  return (
    <table {...is.table} className="op-clinics" aria-busy={isLooking || undefined}>
      <thead {...is.group}>
        <tr {...is.row}>
          {COLUMNS.map((name) => (
            <th key={name} {...is.columnHead}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...is.group}>
        {clinics.map((clinic) => (
          <Row key={clinic.number} clinic={clinic} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ clinic }: { clinic: ClinicItem }) {
  const { number, account, name, last_payment_at, stuck_since, needs_human, schema, is_behind } = clinic;
  const facts: [label: string, value: string, isQuiet: boolean][] = [
    ['Last payment', last_payment_at ? formatWhen(last_payment_at) : 'none yet', !last_payment_at],
    ['Unknown since', stuck_since ? formatSince(stuck_since) : 'none', !stuck_since],
    ['Waiting', needs_human > 0 ? counted(needs_human, 'payment') : 'none', needs_human === 0],
    ['Schema', `${schema}${is_behind ? ', behind' : ''}`, !is_behind],
    ['Size', formatBytes(clinic.bytes), false],
    ['Last heard', formatSince(clinic.heard_at), false],
  ];
  return (
    <tr {...is.row}>
      <th {...is.rowHead}>
        <AppLink href={`/operator/clinics/${number}`}>{name || `Clinic ${number}`}</AppLink>
        <span className="op-sub">
          {number}
          {account !== null && `, account ${account}`}
        </span>
      </th>
      <td {...is.cell}>
        <ClinicStates clinic={clinic} />
      </td>
      {facts.map(([label, value, isQuiet]) => (
        <td key={label} {...is.cell} className={isQuiet ? 'op-quiet' : undefined}>
          <span className="op-label" aria-hidden="true">
            {label}{' '}
          </span>
          {value}
        </td>
      ))}
    </tr>
  );
}
