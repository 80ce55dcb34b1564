import { workOnFiles } from '../../offline/files/file-forms.ts';

export const handlers = { work_on_files: workOnFiles };
