import type { MediaItem } from '#shared/contracts/content/content';
import { formatBytes } from '#shared/text/format-bytes';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { mediaTexts } from '../texts.ts';
import '#site/styles/parts/feedback/progress.css';
import { useEffect, useRef, useState } from 'react';
import { CANCELLED, uploadFile } from './api.ts';

export type Upload = {
  id: number;
  file: File;
  /** 0 to 1; null while the server checks the complete file. */
  share: number | null;
  /** The reason for the failure; for a duplicate, the place of the library's file. */
  failure: string;
  /** The library's file with the same bytes. */
  same: MediaItem | null;
  /** True if no other file was chosen together with this one. */
  isAlone: boolean;
};

/** Maximum number of simultaneous uploads. */
const MAX_PARALLEL = 3;

let count = 0;

/** Uploads files to the library. Removes completed uploads from the list. */
export function useUploads(onUploaded: (media: MediaItem, upload: Upload) => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const controllers = useRef(new Map<number, AbortController>());
  const waiting = useRef<Upload[]>([]);
  const running = useRef(0);
  useEffect(
    () => () => {
      for (const controller of controllers.current.values()) controller.abort();
    },
    [],
  );

  const change = (id: number, changes: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
  const drop = (id: number) => setUploads((all) => all.filter((upload) => upload.id !== id));

  const next = async (): Promise<void> => {
    const upload = running.current < MAX_PARALLEL ? waiting.current.shift() : undefined;
    if (!upload) return;
    running.current += 1;
    void next();
    const { id, file } = upload;
    const signal = controllers.current.get(id)?.signal ?? new AbortController().signal;
    const onProgress = (share: number) => change(id, { share: share < 1 ? share : null });
    const answer = signal.aborted ? null : await uploadFile(file, '', { onProgress, signal });
    running.current -= 1;
    controllers.current.delete(id);
    if (answer?.ok) {
      drop(id);
      onUploaded(answer.value, upload);
    } else if (answer && answer.error !== CANCELLED)
      change(id, { failure: answer.error.message, same: answer.same ?? null });
    void next();
  };

  const add = (files: Iterable<File>) => {
    const chosen = [...files];
    const isAlone = chosen.length === 1;
    const added = chosen.map((file) => ({ id: count++, file, share: 0, failure: '', same: null, isAlone }));
    for (const { id } of added) controllers.current.set(id, new AbortController());
    setUploads((all) => [...all, ...added]);
    waiting.current.push(...added);
    void next();
  };
  const cancel = (id: number) => {
    controllers.current.get(id)?.abort();
    waiting.current = waiting.current.filter((upload) => upload.id !== id);
    drop(id);
  };
  return { uploads, add, cancel };
}

type Props = { uploads: Upload[]; onCancel(id: number): void; onShow(media: MediaItem): void };

/** Uploads in progress, failed ones, and duplicates of library files. */
export function UploadRows({ uploads, onCancel, onShow }: Props) {
  if (uploads.length === 0) return null;
  return (
    <ul className="uploads" aria-label="Uploads">
      {uploads.map(({ id, file, share, failure, same }) => (
        <li key={id} className={failure ? 'upload upload-failed' : 'upload'}>
          <span className="upload-name">{file.name}</span>
          {same ? (
            <span className="upload-same" role="status">
              <Icon name="info" size="sm" />
              <span>
                {failure}{' '}
                <button
                  type="button"
                  className="text-button"
                  onClick={() => {
                    onCancel(id);
                    onShow(same);
                  }}
                >
                  Show it
                </button>
              </span>
            </span>
          ) : failure ? (
            <span className="upload-failure" role="alert">
              <Icon name="alert" size="sm" />
              {mediaTexts.upload}. {failure}
            </span>
          ) : (
            <span className="progress upload-progress">
              <progress aria-label={`Upload of ${file.name}`} max={1} value={share ?? undefined} />
              {share === null ? 'Almost there' : `${Math.round(share * 100)}%`}
            </span>
          )}
          <span className="upload-size">{formatBytes(file.size)}</span>
          <button type="button" className="text-button" onClick={() => onCancel(id)}>
            {failure ? 'Close' : 'Cancel'}
            <span className="sr-only"> {file.name}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
