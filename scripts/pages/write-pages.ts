import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.ts';
import { authorSchemas, schemaPath } from '../types/author-schemas.ts';
import { cliPage } from './cli-page.ts';
import { errorsPage } from './errors-page.ts';
import { toolsPage } from './tools-page.ts';

const docs = join(import.meta.dirname, '../../docs');

replaceFile(join(docs, 'cli.md'), Buffer.from(cliPage()));
replaceFile(join(docs, 'errors.md'), Buffer.from(errorsPage()));
replaceFile(
  join(docs, 'tools.md'),
  Buffer.from(toolsPage(readFileSync(join(docs, 'tools.md'), 'utf8'))),
);

for (const [name, text] of authorSchemas()) replaceFile(schemaPath(name), Buffer.from(text));
