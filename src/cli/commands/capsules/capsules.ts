import { commandGroup } from '../../help/command-group.ts';
import { capsulesCheck } from '../author/capsules-check.ts';
import { capsulesCompare } from '../author/capsules-compare.ts';
import { capsulesCreate } from '../author/capsules-create.ts';
import { capsulesDev } from '../author/capsules-dev.ts';
import { capsulesExport } from '../author/capsules-export.ts';
import { capsulesImport } from '../author/capsules-import.ts';
import { capsulesRewriteEntrypoints } from '../author/capsules-rewrite-entrypoints.ts';
import { capsulesTest } from '../author/capsules-test.ts';
import { capsulesDelete } from './capsules-delete.ts';
import { capsulesInspect } from './capsules-inspect.ts';
import { capsulesList } from './capsules-list.ts';
import { capsulesMemory } from './capsules-memory.ts';
import { capsulesPrompt } from './capsules-prompt.ts';
import { capsulesQuarantine } from './capsules-quarantine.ts';
import { capsulesRestore } from './capsules-restore.ts';
import { command as route } from './route.ts';

export const command = commandGroup('capstan capsules', {
  topic: 'Extend',
  summary: 'List, make, test and share capsules',
  arguments: '[capsule]',
  argumentsNote: 'capsule: its id',
  subcommands: [
    capsulesList,
    capsulesInspect,
    capsulesPrompt,
    route,
    capsulesMemory,
    capsulesCreate,
    capsulesCheck,
    capsulesTest,
    capsulesDev,
    capsulesCompare,
    capsulesExport,
    capsulesImport,
    capsulesQuarantine,
    capsulesRestore,
    capsulesDelete,
    capsulesRewriteEntrypoints,
  ],
});
