import type { Handler } from '../context.ts';
import { performTask } from '../phrases/perform-task.ts';
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

const can =
  'I list, read, count, search, copy, move, delete and edit text files, extract addresses, tasks and TODOs, write given texts, and save the results of earlier steps.';

const dataFile = /\.(?:csv|tsv|json|jsonl|ndjson|log|db3?|sqlite3?)$/i;

/** Works on text files. A form must match every word of the task. */
export const workOnFiles: Handler = (context) =>
  performTask(context, {
    ...{ forms: fileForms, readings: readingForms },
    ...{ can, others: dataFile, namesFiles: true },
  });
