import { useState } from 'react';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Money } from '#site/islands/ui/Money.tsx';
import { DataTable, NoRows } from '#site/islands/ui/table/DataTable.tsx';
import type { Column, ListQuery, ListView } from '#site/islands/ui/table/list-view.ts';
import { SearchBox } from '#site/islands/ui/table/SearchBox.tsx';
import { LONG, LONG_WORD, Sample, Samples } from './Samples.tsx';

type Row = { id: string; customer: string; amount: string | null };

const columns: Column<Row>[] = [
  { id: 'id', header: 'Number', value: ({ id }) => id, sort: 'asc', width: 8, place: 'title', label: '' },
  {
    id: 'customer',
    header: 'Customer',
    value: ({ customer }) => customer,
    sort: 'asc',
    width: 16,
    secondLine: 'on-card',
  },
  {
    id: 'amount',
    header: 'Amount',
    value: ({ amount }) => <Money amount={amount} currency="USD" />,
    sort: 'desc',
    width: 9,
    align: 'end',
    place: 'amount',
  },
  {
    id: 'status',
    header: 'Status',
    value: () => (
      <Badge icon="check" tone="ok">
        Paid
      </Badge>
    ),
    width: 8,
    place: 'state',
  },
];

const page: Row[] = Array.from({ length: 10 }, (_, index) => ({
  id: `INV-${index + 1}`,
  customer: 'Ada Núñez',
  amount: `${index}.50`,
}));
/** Only a few rows, to keep this page short. */
const rows = page.slice(0, 3);
const longRows: Row[] = [
  { id: 'INV-1', customer: LONG, amount: '-1234567.89' },
  { id: LONG_WORD, customer: LONG_WORD, amount: null },
];

const query: ListQuery = { page: 1, size: 10, sort: 'id', q: '', filters: {} };
const ignore = () => undefined;
const baseList: ListView<Row> = { query, rows, first: 1, phase: 'shown', total: 95, pages: 10, show: ignore };
const emptyList = { ...baseList, rows: [], first: 0, total: 0, pages: 1 };

type State = [noun: string, list: Partial<ListView<Row>>];

const STATES: State[] = [
  ['rows on a page in the middle', { query: { ...query, page: 4, sort: '-id' }, first: 31, isMore: true }],
  ['rows on the last page', { query: { ...query, page: 10 }, first: 91 }],
  ['rows that nobody counted', { rows: page, total: null, pages: null }],
  ['long texts', { rows: longRows, total: 2, pages: 1 }],
  ['rows that load', { ...emptyList, phase: 'loading', total: null, pages: null }],
  ['no rows', emptyList],
  ['no rows for a search', { ...emptyList, query: { ...query, q: LONG_WORD } }],
  ['no rows for a filter', { ...emptyList, query: { ...query, filters: { status: 'paid' } } }],
];

function TableSample({ noun, list }: { noun: string; list: ListView<Row> }) {
  return (
    <DataTable
      noun={noun}
      columns={columns}
      list={list}
      keyOf={({ id }) => id}
      loadingText="Loading invoices..."
      empty={<NoRows noun={noun} list={list} emptyText="There are no invoices yet." />}
      tools={<SearchBox searchedFields={noun} value={list.query.q} onSearch={ignore} />}
    />
  );
}

/** A table that is paler while its rows are refreshed; the button toggles that. */
function RefreshingTable() {
  const [isOn, setOn] = useState(false);
  return (
    <>
      <div className="parts-row">
        <Button aria-pressed={isOn} onClick={() => setOn(!isOn)}>
          Refresh
        </Button>
      </div>
      <TableSample noun="rows on the first page" list={{ ...baseList, phase: isOn ? 'refreshing' : 'shown' }} />
    </>
  );
}

export function TableSamples() {
  return (
    <Samples title="Table">
      <Sample title="Table of rows on the first page, and while they are asked for anew">
        <RefreshingTable />
      </Sample>
      {STATES.map(([noun, list]) => (
        <Sample key={noun} title={`Table of ${noun}`}>
          <TableSample noun={noun} list={{ ...baseList, ...list }} />
        </Sample>
      ))}
      <Sample title="Table that failed, under the banner that says so">
        <Banner tone="bad" lead="Failed to load invoices" actions={<Button size="sm">Try again</Button>} />
        <TableSample noun="rows that failed" list={{ ...emptyList, phase: 'failed' }} />
      </Sample>
    </Samples>
  );
}
