/** Most tables of one query. */
export const MAX_TABLES = 20;
/** Most files of one query. */
export const MAX_FILES = 200;
/** Largest database that statements may change, in bytes: it is changed in memory and replaced as a whole. */
export const MAX_DATABASE_BYTES = 64 * 1024 * 1024;
