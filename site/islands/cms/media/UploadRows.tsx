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
  uploadedShare: number | null;
  /** The reason for the failure; for a duplicate, the place of the library's file. */
  failure: string;
  /** The library's file with the same bytes. */
  duplicate: MediaItem | null;
  /** True if no other file was chosen together with this one. */
  isOnlyFile: boolean;
};

/** Maximum number of simultaneous uploads. */
const MAX_PARALLEL = 3;

let nextUploadId = 0;

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

  const updateUpload = (id: number, changes: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
  const removeUpload = (id: number) => setUploads((all) => all.filter((upload) => upload.id !== id));

  const startNext = async (): Promise<void> => {
    const upload = running.current < MAX_PARALLEL ? waiting.current.shift() : undefined;
    if (!upload) return;
    running.current += 1;
    void startNext();
    const { id, file } = upload;
    const signal = controllers.current.get(id)?.signal ?? new AbortController().signal;
    const onProgress = (share: number) => updateUpload(id, { uploadedShare: share < 1 ? share : null });
    const answer = signal.aborted ? null : await uploadFile(file, '', { onProgress, signal });
    running.current -= 1;
    controllers.current.delete(id);
    if (answer?.ok) {
      removeUpload(id);
      onUploaded(answer.value, upload);
    } else if (answer && answer.error !== CANCELLED)
      updateUpload(id, { failure: answer.error.message, duplicate: answer.duplicate ?? null });
    void startNext();
  };

  const add = (files: Iterable<File>) => {
    const chosenFiles = [...files];
    const isOnlyFile = chosenFiles.length === 1;
    const newUploads = chosenFiles.map((file) => ({
      id: nextUploadId++,
      file,
      uploadedShare: 0,
      failure: '',
      duplicate: null,
      isOnlyFile,
    }));
    for (const { id } of newUploads) controllers.current.set(id, new AbortController());
    setUploads((all) => [...all, ...newUploads]);
    waiting.current.push(...newUploads);
    void startNext();
  };
  const cancel = (id: number) => {
    controllers.current.get(id)?.abort();
    waiting.current = waiting.current.filter((upload) => upload.id !== id);
    removeUpload(id);
  };
  return { uploads, add, cancel };
}

type Props = { uploads: Upload[]; onCancel(id: number): void; onShow(media: MediaItem): void };

/** Uploads in progress, failed ones, and duplicates of library files. */
export function UploadRows({ uploads, onCancel, onShow }: Props) {
  if (uploads.length === 0) return null;
  return (
    <ul className="uploads" aria-label="Uploads">
      {uploads.map(({ id, file, uploadedShare, failure, duplicate }) => (
        <li key={id} className={failure ? 'upload upload-failed' : 'upload'}>
          <span className="upload-name">{file.name}</span>
          {duplicate ? (
            <span className="upload-same" role="status">
              <Icon name="info" size="sm" />
              <span>
                {failure}{' '}
                <button
                  type="button"
                  className="text-button"
                  onClick={() => {
                    onCancel(id);
                    onShow(duplicate);
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
              <progress aria-label={`Upload of ${file.name}`} max={1} value={uploadedShare ?? undefined} />
              {uploadedShare === null ? 'Almost there' : `${Math.round(uploadedShare * 100)}%`}
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
