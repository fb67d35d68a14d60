import { parseArgs } from 'node:util';
import { localTrail, productionTrail } from './audit/read-trail.ts';
import { verifyAll } from './audit/verify-all.ts';

/**
 * `npm run audit:verify [-- --account N] [--local | --remote] [--anchor FILE]`: names the first event of each account that
 * is not as it was sealed or anchored, and exits with 1. It changes nothing. `--local` (as without a word) reads the state
 * folder of `npm start`, `--remote` the installation. `--anchor`: an anchor that somebody kept, instead of the bucket's.
 */
const { values } = parseArgs({
  options: {
    account: { type: 'string' },
    local: { type: 'boolean' },
    remote: { type: 'boolean' },
    anchor: { type: 'string' },
  },
});
const trail = values.remote ? productionTrail(values.anchor) : localTrail(values.anchor);
const isSound = await verifyAll(trail, values.account === undefined ? null : Number(values.account), console.log);
process.exitCode = isSound ? 0 : 1;
