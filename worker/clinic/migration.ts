/** A migration of a clinic's database. `number`: the one that its file's name begins with. */
export type Migration = { number: number; sql: string };

/** A database with an older schema is from before the first release: it cannot be migrated. */
export const FIRST_MIGRATION = 100;
