import { join } from 'node:path';
import { cliPage } from './cli-page.ts';
import { errorsPage } from './errors-page.ts';
import { replaceFile } from './replace-file.ts';

const docs = join(import.meta.dirname, '../docs');

replaceFile(join(docs, 'cli.md'), Buffer.from(cliPage()));
replaceFile(join(docs, 'errors.md'), Buffer.from(errorsPage()));
