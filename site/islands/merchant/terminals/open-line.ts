import { SaleReply, type TerminalSale } from '#shared/contracts/terminals';
import { readWith } from '#site/islands/ui/api/read-with.ts';

/** A sale whose answer is still open: as it was started, and what came of it. */
export type OpenLine = {
  started: TerminalSale;
  /** Null: the line was cut, so somebody has to ask. */
  outcome: Promise<TerminalSale | null>;
};

const readSale = readWith(SaleReply, ({ sale }) => sale);
/** Of this page. A sale of another tab, or from before a reload, has none here. */
const open = new Map<string, OpenLine>();

export const lineOf = (saleId: string): OpenLine | undefined => open.get(saleId);

/** Reads the answer to its first line and keeps it open for the last one. Null: it was cut before. */
export async function openLine({ body }: Response): Promise<TerminalSale | null> {
  const lines = linesOf(body);
  const started = await next(lines);
  if (!started) return null;
  const outcome = next(lines).finally(() => open.delete(started.id));
  open.set(started.id, { started, outcome });
  return started;
}

/** The next line that says something. An empty one only keeps proxies from cutting a line that is quiet. */
async function next(lines: AsyncIterator<string>): Promise<TerminalSale | null> {
  try {
    for (;;) {
      const { done, value } = await lines.next();
      if (done) return null;
      if (value !== '') return readSale(JSON.parse(value));
    }
  } catch {
    return null;
  }
}

/** Whole lines: what stands behind the last line break was cut. */
async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = '';
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return;
    const lines = (text + part.value).split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
}
