import { join } from 'node:path';
import { listenSandbox } from './listen.ts';

const port = Number(process.env.SANDBOX_PORT ?? 8788);
const productPort = Number(process.env.PORT ?? 8787);
const file = join(process.env.TILLWAY_STATE ?? '.wrangler/state', 'sandbox.sqlite');

try {
  const { url, close } = await listenSandbox({
    file,
    port,
    productUrl: `http://localhost:${productPort}`,
    deliversAllMail: true,
  });
  console.log(`sandbox listening on ${url} (${file})`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void close().then(() => process.exit(0)));
} catch (cause) {
  const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
  console.error(
    isTaken
      ? `port ${port} is taken: set SANDBOX_PORT to another one`
      : `the sandbox could not start: ${cause instanceof Error ? cause.message : cause}`,
  );
  process.exit(1);
}
