/** What the simulation of write-back drives of the product: bundled anew for each mutant. */
export { openDb } from '#worker/data/db';
export { createDeps } from '#worker/deps';
export { writeBack } from '#worker/domain/write-back/write';
