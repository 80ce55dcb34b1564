import { workOnFiles } from '../../offline/files/work-on-files.ts';

export const handlers = { work_on_files: workOnFiles };
