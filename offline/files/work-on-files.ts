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

const can =
  'I list, read, count, search, copy, move, delete and edit text files, take addresses, tasks and TODOs out of them, write given texts, and save what earlier steps found.';

const textForms = [...countForms, ...lineForms, ...extractForms, ...readForms, ...searchForms];

const readings = [...listForms, ...textForms];

/** The most specific forms first: the object of a save can be almost any words. */
const forms = [
  ...[...editForms, ...editLineForms, ...moveForms, ...listForms],
  ...[...textForms, ...saveForms, ...wordForms],
];

const dataFile = /\.(?:csv|tsv|json|jsonl|ndjson|log|db3?|sqlite3?)$/i;

/** Works on text files, by forms that cover every word of the task. */
export const workOnFiles: Handler = (context) =>
  performTask(context, { forms, readings, can, others: dataFile, namesFiles: true });
