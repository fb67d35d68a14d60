import { parseArgs } from 'node:util';
import { trailOf, verifyAll } from './operate/audit-trail.ts';
import { callsOf, placeOf } from './operate/calls.ts';

/**
 * `npm run audit:verify [-- --account N] [--local | --remote] [--anchor FILE]`: reports the first event of each account
 * that differs from its seal or anchor, and exits with 1 if there is one. It changes nothing. `--local` (the default)
 * reads from the product on this machine, `--remote` from the installation of production.json. `--anchor`: a saved
 * anchor, instead of the bucket's.
 */
const { values } = parseArgs({
  options: {
    account: { type: 'string' },
    local: { type: 'boolean' },
    remote: { type: 'boolean' },
    anchor: { type: 'string' },
  },
});
try {
  const trail = trailOf(callsOf(placeOf(values.remote ?? false)), values.anchor);
  const isSound = await verifyAll(trail, values.account === undefined ? null : Number(values.account), console.log);
  process.exitCode = isSound ? 0 : 1;
} catch (cause) {
  console.error(`audit:verify: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
}
