/** Most tables of one query. */
export const MAX_TABLES = 20;
/** Most files of one query. */
export const MAX_FILES = 200;
