import { editLineForms } from './edit-lines.ts';
import { editForms } from './edit-text.ts';
import { listForms } from './list-files.ts';
import { moveForms } from './move-files.ts';
import { saveForms } from './results/save-results.ts';
import { countForms } from './text/count-text.ts';
import { extractForms } from './text/extract-text.ts';
import { readForms } from './text/read-text.ts';
import { searchForms, wordForms } from './text/search-text.ts';
import { lineForms } from './text/show-lines.ts';

/** Forms that read texts. */
export const textForms = [
  ...[...countForms, ...readForms],
  ...[...lineForms, ...extractForms, ...searchForms],
];

/** Forms that only read. */
export const readingForms = [...listForms, ...textForms];

/** Forms that write, change, move or delete files. */
export const changingForms = [...editForms, ...editLineForms, ...moveForms];

/** All forms, the most specific first, because the object of `save` can be almost any words. */
export const fileForms = [...changingForms, ...readingForms, ...saveForms, ...wordForms];
