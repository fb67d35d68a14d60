/** The product's entry points for the simulation of write-back; bundled again for each mutant. */
export { openDb } from '#worker/data/db';
export { createDeps } from '#worker/deps';
export { writeBack } from '#worker/domain/write-back/write';
