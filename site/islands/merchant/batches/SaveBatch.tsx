import { useState } from 'react';
import { saveFile } from '#site/islands/ui/api/save-file.ts';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { FieldError } from '#site/islands/ui/form/Field.tsx';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { logFailure } from '../common/use-load.tsx';
import { fetchBatchFile } from './api.ts';

/** Downloads a closed batch as a CSV file. */
export function ExportBatchButton({ terminalId, batchId }: { terminalId: string; batchId: string }) {
  const [state, setState] = useState<'idle' | 'busy' | { failed: string }>('idle');
  const save = async () => {
    setState('busy');
    const answer = await fetchBatchFile(terminalId, batchId);
    if (answer.ok) {
      saveFile(answer.value, `batch-${batchId}.csv`);
      return setState('idle');
    }
    logFailure('Failed to fetch transactions', answer.error);
    setState({ failed: answer.error.message });
  };
  return (
    <div className="batch-save">
      <Button busy={state === 'busy'} onClick={() => void save()}>
        <Icon name="download" size="sm" />
        Export CSV<span className="sr-only"> of batch {batchId}</span>
      </Button>
      {typeof state === 'object' && <FieldError id={`save-${batchId}`} text={state.failed} />}
    </div>
  );
}
