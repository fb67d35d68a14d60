import { useState } from 'react';
import type { MediaItem } from '#shared/contracts/content/content';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { NoRows } from '#site/islands/ui/table/DataTable.tsx';
import { Pager } from '#site/islands/ui/table/Pager.tsx';
import { SearchBox } from '#site/islands/ui/table/SearchBox.tsx';
import { type ListSource, useServerList } from '#site/islands/ui/table/use-list.ts';
import { call } from '../api.ts';
import { mediaTexts } from '../texts.ts';
import { readMediaList } from './api.ts';
import { DropZone } from './DropZone.tsx';
import { MediaCard } from './MediaCard.tsx';
import { MediaSheet } from './MediaSheet.tsx';
import { UploadRows, useUploads } from './UploadRows.tsx';
import '#site/styles/parts/table/list-head.css';
import '#site/styles/parts/table/list-tools.css';
import '#site/styles/parts/table/table.css';
import '#site/styles/areas/cms/media.css';

const source: ListSource<MediaItem> = {
  path: '/api/cms/media',
  readRows: readMediaList,
  sort: '',
  sorts: [],
  filters: [],
};

/** The media library. */
export function MediaLibrary() {
  const list = useServerList(source, { call });
  const [openMedia, setOpenMedia] = useState<MediaItem | null>(null);
  // A single upload asks for its description at once; after several, each card shows that it has none.
  const { uploads, add, cancel } = useUploads((media, { isOnlyFile }) => {
    list.reload();
    if (isOnlyFile && media.width !== null) setOpenMedia(media);
  });
  const { q } = list.query;

  return (
    <div className="list-page">
      <div className="list-head">
        <h1 tabIndex={-1}>Media</h1>
      </div>
      <DropZone
        label="Upload files"
        hint={`Or drop them here. PNG, JPEG, WebP, GIF or PDF, ${mediaTexts.sizeLimit}.`}
        kind="primary"
        multiple
        onFiles={add}
      >
        <UploadRows uploads={uploads} onCancel={cancel} onShow={setOpenMedia} />
      </DropZone>
      {list.failure && (
        <Banner
          tone="warn"
          role="alert"
          lead={mediaTexts.fetchMany}
          actions={
            <button type="button" className="text-button" onClick={list.retry}>
              Retry
            </button>
          }
        >
          {list.failure.message}
        </Banner>
      )}
      <div className="list-tools">
        <SearchBox
          searchedFields="name or description"
          value={q}
          onSearch={(text) => list.show({ q: text, page: 1 })}
        />
      </div>
      {list.phase === 'loading' && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
      {list.phase === 'shown' && list.rows.length === 0 && (
        <div className="table-empty">
          <NoRows noun="file" list={list} emptyText={mediaTexts.emptyText} />
        </div>
      )}
      <ul className="media-grid" aria-label="Files" aria-busy={list.phase === 'refreshing' || undefined}>
        {list.rows.map((media) => (
          <MediaCard key={media.id} media={media} onOpen={() => setOpenMedia(media)} />
        ))}
      </ul>
      {list.phase !== 'failed' && (
        <Pager noun="files" list={list} loadingText="Loading..." isShown={list.phase !== 'loading'} />
      )}
      {openMedia && (
        <MediaSheet
          media={openMedia}
          onClose={() => setOpenMedia(null)}
          onChanged={() => {
            setOpenMedia(null);
            list.reload();
          }}
        />
      )}
    </div>
  );
}
