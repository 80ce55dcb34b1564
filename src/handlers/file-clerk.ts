import type { Handler } from '../runtime/capsule/sdk.ts';
import { countForms, countResultForms } from './files/count-text.ts';
import { editForms } from './files/edit-files.ts';
import type { Act } from './files/file-tool.ts';
import { listForms } from './files/list-files.ts';
import { readForms } from './files/read-files.ts';
import { saveForms } from './files/save-results.ts';
import { searchForms, searchResultForms, wordForms } from './files/search-text.ts';
import { type Form, matchForm } from './instruction/form.ts';
import { readInstruction } from './instruction/instruction.ts';

const can =
  'I list, read, count, search, copy and edit text files, append to them, write given texts, and save what earlier steps found.';

/** The more exact forms first: saving takes nearly any words for what was found. */
const forms: readonly Form<Act>[] = [
  ...editForms,
  ...listForms,
  ...countResultForms,
  ...searchResultForms,
  ...countForms,
  ...searchForms,
  ...readForms,
  ...saveForms,
  ...wordForms,
];

/** Works on text files, by forms that cover every word of the task. */
const workOnFiles: Handler = (context) =>
  matchForm(readInstruction(context.task), forms, can)(context);

export const handlers: Record<string, Handler> = { work_on_files: workOnFiles };
