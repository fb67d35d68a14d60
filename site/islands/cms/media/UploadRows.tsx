import type { MediaItem } from '#shared/contracts/content/content';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { mediaTexts } from '../texts.ts';
import { formatSize } from './format-size.ts';
import type { Upload } from './use-uploads.ts';
import '#site/styles/parts/feedback/progress.css';

type Props = { uploads: Upload[]; onCancel(id: number): void; onShow(media: MediaItem): void };

/** Uploads in progress, failed ones, and those of files that the library has already. */
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
          <span className="upload-size">{formatSize(file.size)}</span>
          <button type="button" className="text-button" onClick={() => onCancel(id)}>
            {failure ? 'Close' : 'Cancel'}
            <span className="sr-only"> {file.name}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
