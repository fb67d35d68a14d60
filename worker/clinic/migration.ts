/** A migration of a clinic's database. `number`: the prefix of its file name. */
export type Migration = { number: number; sql: string };

/** A database with an older schema is from before the first release and cannot be migrated. */
export const FIRST_MIGRATION = 100;
