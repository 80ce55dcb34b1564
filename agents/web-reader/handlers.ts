import { readPages } from '../../offline/pages/read-pages.ts';

export const handlers = { read_pages: readPages };
