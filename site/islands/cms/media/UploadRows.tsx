import { Icon } from '../../ui/Icon.tsx';
import { mediaTexts } from '../texts.ts';
import { formatSize } from './format-size.ts';
import type { Upload } from './use-uploads.ts';
import '../../../styles/parts/feedback/progress.css';

type Props = { uploads: Upload[]; onCancel(id: number): void };

/** Uploads in progress and failed ones. */
export function UploadRows({ uploads, onCancel }: Props) {
  if (uploads.length === 0) return null;
  return (
    <ul className="uploads" aria-label="Uploads">
      {uploads.map(({ id, file, share, failure }) => (
        <li key={id} className={failure ? 'upload upload-failed' : 'upload'}>
          <span className="upload-name">{file.name}</span>
          {failure ? (
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
