import { type ClinicItem, OperatorClinics } from '#shared/contracts/operators/operator';
import { clinicGroups } from '#shared/contracts/operators/operator-values';
import { formatBytes } from '#shared/text/format-bytes';
import { formatCount } from '#shared/text/format-count';
import { readWith } from '../ui/api/parse-response.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { Button } from '../ui/form/Button.tsx';
import { Select } from '../ui/form/Select.tsx';
import { formatSince, formatWhen } from '../ui/format-moment.ts';
import { AppLink, setSearch, useSearch } from '../ui/routing/router.tsx';
import { SearchBox } from '../ui/table/SearchBox.tsx';
import { tableRoles } from '../ui/table/TableRow.tsx';
import { usePolledView } from './api.ts';
import { ClinicStates } from './ClinicStates.tsx';
import '#site/styles/areas/operator/clinics.css';

const readClinics = readWith(OperatorClinics);

/** All clinics, the worst problems first. Search, group and page are in the page's address. */
export function Clinics() {
  const params = new URLSearchParams(useSearch());
  const [q, filter, page] = [params.get('q') ?? '', params.get('filter') ?? 'all', Number(params.get('page')) || 1];
  const queryFor = (changes: Record<string, string | number>) => {
    const parameters = { q, filter, page: 1, ...changes };
    const changedParameters = Object.entries(parameters).filter(
      ([name, value]) => value !== { q: '', filter: 'all', page: 1 }[name],
    );
    return new URLSearchParams(changedParameters.map(([name, value]) => [name, String(value)])).toString();
  };
  const query = queryFor({ page });
  const { data, failure, isLoading } = usePolledView(`clinics${query && `?${query}`}`, readClinics, null);
  return (
    <div className="op-page">
      <h1 tabIndex={-1}>Clinics</h1>
      <div className="op-tools">
        <SearchBox
          searchedFields="name, number or account"
          value={q}
          onSearch={(text) => setSearch(queryFor({ q: text }), { replace: true })}
        />
        <Select
          aria-label="Which clinics"
          value={filter}
          onChange={({ target }) => setSearch(queryFor({ filter: target.value }))}
        >
          {Object.entries(clinicGroups).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </Select>
      </div>
      {failure && <Banner tone="bad" lead={failure} />}
      {!data && !failure && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
      {data && (
        <>
          <Rows clinics={data.clinics} isLoading={isLoading} />
          <nav className="op-pages" aria-label="Pages of clinics">
            <p role="status">
              {data.total === 0
                ? `No clinic: ${q ? `“${q}”, ` : ''}${clinicGroups[filter as keyof typeof clinicGroups] ?? filter}.`
                : `${formatCount(data.total, 'clinic')}, page ${data.page} of ${data.pages}`}
            </p>
            {data.pages > 1 && (
              <>
                <Button
                  aria-disabled={data.page === 1 || undefined}
                  onClick={() => data.page > 1 && setSearch(queryFor({ page: data.page - 1 }))}
                >
                  Previous
                </Button>
                <Button
                  aria-disabled={data.page >= data.pages || undefined}
                  onClick={() => data.page < data.pages && setSearch(queryFor({ page: data.page + 1 }))}
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

function Rows({ clinics, isLoading }: { clinics: ClinicItem[]; isLoading: boolean }) {
  if (clinics.length === 0) return null;
  return (
    <table {...tableRoles.table} className="op-clinics" aria-busy={isLoading || undefined}>
      <thead {...tableRoles.group}>
        <tr {...tableRoles.row}>
          {COLUMNS.map((name) => (
            <th key={name} {...tableRoles.columnHead}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...tableRoles.group}>
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
    ['Waiting', needs_human > 0 ? formatCount(needs_human, 'payment') : 'none', needs_human === 0],
    ['Schema', `${schema}${is_behind ? ', behind' : ''}`, !is_behind],
    ['Size', formatBytes(clinic.bytes), false],
    ['Last heard', formatSince(clinic.heard_at), false],
  ];
  return (
    <tr {...tableRoles.row}>
      <th {...tableRoles.rowHead}>
        <AppLink href={`/operator/clinics/${number}`}>{name || `Clinic ${number}`}</AppLink>
        <span className="op-sub">
          {number}
          {account !== null && `, account ${account}`}
        </span>
      </th>
      <td {...tableRoles.cell}>
        <ClinicStates clinic={clinic} />
      </td>
      {facts.map(([label, value, isQuiet]) => (
        <td key={label} {...tableRoles.cell} className={isQuiet ? 'op-quiet' : undefined}>
          <span className="op-label" aria-hidden="true">
            {label}{' '}
          </span>
          {value}
        </td>
      ))}
    </tr>
  );
}
