import type { Handler } from '../context.ts';
import { performTask } from '../phrases/perform-task.ts';
import { fileForms as forms, readingForms as readings } from './file-forms.ts';

const can =
  'I list, read, count, search, copy, move, delete and edit text files, extract addresses, tasks and TODOs, write given texts, and save the results of earlier steps.';

const dataFile = /\.(?:csv|tsv|json|jsonl|ndjson|log|db3?|sqlite3?)$/i;

/** Works on text files. A form must match every word of the task. */
export const workOnFiles: Handler = (context) =>
  performTask(context, { forms, readings, can, others: dataFile, namesFiles: true });
